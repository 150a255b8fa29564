package test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSkill types the commands of the skill as an agent does: in the folder of a project, about the home of its user.
func TestSkill(t *testing.T) {
	work := filepath.Join(t.TempDir(), "orrery")
	require.NoError(t, os.Mkdir(work, 0o777))
	home := t.TempDir()
	require.NoError(t, os.CopyFS(home, os.DirFS("../testdata/orrery")))
	project := regexp.MustCompile(`[^A-Za-z0-9]`).ReplaceAllString(work, "-")
	require.NoError(t, os.Rename(filepath.Join(home, "projects/-home-ada-orrery"), filepath.Join(home, "projects", project)))
	logs, err := filepath.Glob(filepath.Join(home, "projects/*/*.jsonl"))
	require.NoError(t, err)
	require.NotEmpty(t, logs)
	skill := filepath.Join(t.TempDir(), "SKILL.md")
	require.NoError(t, os.WriteFile(skill, []byte(read(t, "../share/skills/jl/SKILL.md")), 0o600))
	for _, name := range append(logs, skill) {
		there := strings.ReplaceAll(read(t, name), "/home/ada/orrery", work)
		require.NoError(t, os.WriteFile(name, []byte(there), 0o600))
	}
	folder, err := filepath.Abs("../share/skills/jl")
	require.NoError(t, err)
	typed(t, skill, func(*testing.T) string { return work }, true, "CLAUDE_CONFIG_DIR="+home, "CLAUDE_SKILL_DIR="+folder)
}

// TestSkillIsFound wants of the skill and of its plugin what clients want of them.
func TestSkillIsFound(t *testing.T) {
	head := regexp.MustCompile(`(?s)^---\nname: (\S+)\ndescription: ([^\n]+)\n.*?---\n`).FindStringSubmatch(read(t, "../share/skills/jl/SKILL.md"))
	require.NotNil(t, head)
	require.Equal(t, "jl", head[1], "the name of its folder")
	require.Less(t, len(head[2]), 1024)

	var market struct {
		Name, Description string
		Owner             struct{ Name string }
		Plugins           []struct{ Name, Source, Description string }
	}
	require.NoError(t, json.Unmarshal([]byte(read(t, "../.claude-plugin/marketplace.json")), &market))
	require.NotEmpty(t, market.Name)
	require.NotEmpty(t, market.Owner.Name)
	require.Len(t, market.Plugins, 1)
	var plugin struct{ Name, Description string }
	require.NoError(t, json.Unmarshal([]byte(read(t, filepath.Join("..", market.Plugins[0].Source, ".claude-plugin/plugin.json"))), &plugin))
	require.Equal(t, market.Plugins[0].Name, plugin.Name)
	require.FileExists(t, filepath.Join("..", market.Plugins[0].Source, "skills/jl/SKILL.md"))
}
