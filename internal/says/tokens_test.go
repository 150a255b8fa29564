package says

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
)

// TestTokens: what the figures of a usage add up to: input, output, written to a cache, for five minutes, for an hour,
// read from it, and the part of the output that is thoughts.
func TestTokens(t *testing.T) {
	for _, c := range []struct {
		name         string
		usage        string
		cacheInInput bool
		want         string
	}{
		{"nothing", `{}`, false, "[0 0 0 0 0 0 0]"},
		{"beside the cache", `{"input_tokens":10,"output_tokens":5,"cache_read_input_tokens":3,"cache_creation_input_tokens":2}`, false, "[10 5 2 2 0 3 0]"},
		{"with the cache in the input", `{"input_tokens":10,"output_tokens":5,"cache_read_input_tokens":3,"cache_creation_input_tokens":2}`, true, "[5 5 2 2 0 3 0]"},
		{"less than the cache", `{"input_tokens":1,"output_tokens":5,"cache_read_input_tokens":3}`, true, "[0 5 0 0 0 3 0]"},
		{"a total of input and output, so the cache is in the input", `{"input_tokens":10,"output_tokens":5,"cache_read_input_tokens":3,"total_tokens":15}`, false, "[7 5 0 0 0 3 0]"},
		{"the same of what was written", `{"input_tokens":10,"output_tokens":5,"cache_creation_input_tokens":3,"total_tokens":15}`, false, "[7 5 3 3 0 0 0]"},
		{"a total with the cache", `{"input_tokens":10,"output_tokens":5,"cache_read_input_tokens":3,"total_tokens":18}`, false, "[10 5 0 0 0 3 0]"},
		{"thoughts beside the output", `{"input_tokens":10,"output_tokens":5,"thoughts_token_count":4,"total_tokens":19}`, false, "[10 9 0 0 0 0 4]"},
		{"thoughts in the output", `{"input_tokens":10,"output_tokens":5,"thoughts_token_count":4,"total_tokens":15}`, false, "[10 5 0 0 0 0 4]"},
		{"thoughts beside the output, and the cache in the input", `{"input_tokens":10,"output_tokens":5,"thoughts_token_count":4,"cached":3,"total_tokens":19}`, true, "[7 9 0 0 0 3 4]"},
		{"thoughts in the output, and the cache in the input", `{"input_tokens":10,"output_tokens":5,"thoughts_token_count":4,"cached":3,"total_tokens":15}`, true, "[7 5 0 0 0 3 4]"},
		{"thoughts in the output, and a cache beside the input", `{"input_tokens":10,"output_tokens":5,"thoughts_token_count":4,"cached":3,"total_tokens":18}`, false, "[10 5 0 0 0 3 4]"},
		{"thoughts and a cache beside", `{"input_tokens":10,"output_tokens":5,"thoughts_token_count":4,"cached":3,"total_tokens":22}`, false, "[10 9 0 0 0 3 4]"},
		{"thoughts without a total", `{"input_tokens":10,"output_tokens":5,"thoughts_token_count":4}`, false, "[10 9 0 0 0 0 4]"},
		{"results of tools beside the input", `{"input_tokens":10,"output_tokens":5,"toolUsePromptTokenCount":4,"total_tokens":19}`, false, "[14 5 0 0 0 0 0]"},
		{"results of tools and thoughts", `{"input_tokens":10,"output_tokens":5,"thoughts_token_count":1,"toolUsePromptTokenCount":4,"total_tokens":20}`, false, "[14 6 0 0 0 0 1]"},
		{"results of tools in the input, and thoughts", `{"input_tokens":10,"output_tokens":5,"thoughts_token_count":1,"toolUsePromptTokenCount":4,"total_tokens":19}`, false, "[10 6 0 0 0 0 1]"},
		{"results of tools in the input", `{"input_tokens":10,"output_tokens":5,"toolUsePromptTokenCount":4,"total_tokens":15}`, false, "[10 5 0 0 0 0 0]"},
		{"an hour", `{"cache_creation_input_tokens":5,"cache_creation":{"ephemeral_1h_input_tokens":3}}`, false, "[0 0 5 2 3 0 0]"},
		{"both", `{"cache_creation_input_tokens":5,"cache_creation":{"ephemeral_5m_input_tokens":2,"ephemeral_1h_input_tokens":3}}`, false, "[0 0 5 2 3 0 0]"},
		{"both, and more than told", `{"cache_creation_input_tokens":1,"cache_creation":{"ephemeral_5m_input_tokens":2,"ephemeral_1h_input_tokens":3}}`, false, "[0 0 5 2 3 0 0]"},
		{"both, and less than told", `{"cache_creation_input_tokens":9,"cache_creation":{"ephemeral_5m_input_tokens":2,"ephemeral_1h_input_tokens":3}}`, false, "[0 0 9 2 3 0 0]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var told Telling
			x := told.tokens(entry.Value(c.usage), c.cacheInInput)
			require.Equal(t, c.want, fmt.Sprint([]int64{x.Input, x.Output, x.Write, x.Write5m, x.Write1h, x.Read, x.Thinking}))
			require.Empty(t, told.Things, "each name is known")
		})
	}
}

// TestUnknownFigures: a member of a usage that no rule reads is named, unless it is nothing.
func TestUnknownFigures(t *testing.T) {
	for usage, unread := range map[string]int{
		`{"novel":0}`: 0, `{"novel":7}`: 1, `{"novel":"x"}`: 1, `{"novel":""}`: 1, `{"novel":null}`: 0, `{"novel":{"a":1}}`: 1,
	} {
		var told Telling
		told.tokens(entry.Value(usage), false)
		require.Len(t, told.Things, unread, usage)
	}
}

// TestNamedBesideFigures: a usage names how fast, for whom and where it was, and what it costs; objects inside it do not. A record of a
// request names them too, and its figures have the cache in the input.
func TestNamedBesideFigures(t *testing.T) {
	const figures = `"input_tokens":5,"cache_read_input_tokens":2,"cache_creation":{"ephemeral_5m_input_tokens":0,"speed":"x","service_tier":1,"inference_geo":2,"cost":9},`
	usage := entry.Value(`{` + figures + `"speed":"fast","service_tier":"batch","inference_geo":"us","cost":0.5,"model":"m"}`)
	usual, record := Telling{}, Telling{}
	usual.usage(usage, false, Thing{})
	record.record(usage, Thing{})
	require.Len(t, usual.Things, 2)
	require.Len(t, record.Things, 1, "what it notes of a cost is in units of its own")
	require.Equal(t, `0.5`, string(usual.Things[1].Bill.Dollars))
	for want, told := range map[int64]Thing{5: usual.Things[0], 3: record.Things[0]} {
		require.Equal(t, []string{`"fast"`, `"batch"`, `"us"`}, []string{string(told.Speed), string(told.Tier), string(told.Geo)})
		require.Equal(t, want, told.Tokens.Input)
	}
	for cost, bills := range map[string]int{`0.5`: 1, `0`: 0, `"0.5"`: 0, `{"total":2}`: 1, `{"total":"2"}`: 0, `null`: 0} {
		var told Telling
		told.usage(entry.Value(`{"input_tokens":1,"cost":`+cost+`}`), false, Thing{})
		require.Len(t, told.Things, 1+bills, cost)
	}
}

// TestSums: figures are added and taken away one by one, and none is below nothing.
func TestSums(t *testing.T) {
	a := Tokens{Input: 5, Output: 4, Read: 3, Thinking: 2, Write: 9, Write5m: 8, Write1h: 7, Searches: 6}
	b := Tokens{Input: 1, Output: 6, Read: 1, Thinking: 3, Write: 1, Write5m: 9, Write1h: 1, Searches: 7}
	require.Equal(t, Tokens{Input: 6, Output: 10, Read: 4, Thinking: 5, Write: 10, Write5m: 17, Write1h: 8, Searches: 13}, a.Plus(b))
	require.Equal(t, Tokens{Input: 4, Read: 2, Write: 8, Write1h: 6}, a.Less(b))
	require.Equal(t, Tokens{Input: 1, Output: 4, Read: 1, Thinking: 2, Write: 1, Write5m: 8, Write1h: 1, Searches: 6}, a.Common(b))
}
