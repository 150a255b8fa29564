package says

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRefused: what each client writes where the user refused a call, and what the user said with it.
func TestRefused(t *testing.T) {
	for text, want := range map[string]string{
		"The user doesn't want to proceed with this tool use.":                                                          "refused",
		"The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nUse the map.": "refused: Use the map.",
		"exec_command failed: CreateProcess { message: \"rejected by user\" }":                                          "refused",
		"exec_command failed: no such file":                                                                             "",
		"exec command rejected by user":                                                                                 "refused",
		"patch rejected by user":                                                                                        "refused",
		"The user rejected this tool call.":                                                                             "refused",
		"The user rejected this tool call. User feedback: Not now.":                                                     "refused: Not now.",
		"[Operation Cancelled] Reason: User denied execution":                                                           "refused",
		"[Operation Cancelled] Reason: User did not allow tool":                                                         "refused",
		"[Operation Cancelled] Reason: timeout":                                                                         "",
		"The user rejected permission to use this specific tool call with the following feedback: Ask first.":           "refused: Ask first.",
		"It says: patch rejected by user":                                                                               "",
		"":                                                                                                              "",
	} {
		got := ""
		if said, refused := Refused([]byte(text)); refused && said != nil {
			got = "refused: " + string(said)
		} else if refused {
			got = "refused"
		}
		require.Equal(t, want, got, text)
	}
}
