package shape

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTitle: a prompt that has the model carry out a plan is called by the plan's first heading.
func TestTitle(t *testing.T) {
	const sentence = "Implement the following plan:"
	for _, test := range []struct{ prompt, title string }{
		{"# A heading\n\nof the user's own", "# A heading\n\nof the user's own"},
		{"Please: " + sentence + "\n\n# A pier", "Please: " + sentence + "\n\n# A pier"},
		{sentence, sentence},
		{sentence + " \n", sentence + " \n"},
		{sentence + "\n\n# A pier\n\nOf oak.\n\n# Then", "A pier"},
		{sentence + "\n\n# A pier of `oak` #\r\n", "A pier of `oak`"},
		{sentence + "\n\n### C#\n", "C#"},
		{sentence + "\n\nFirst words.\n\n## Then a heading", "Then a heading"},
		{sentence + "\n\n#\n##  \n## A pier ##", "A pier"},
		{sentence + "\n\n#oak is no heading\n    # nor is code\n\n## A pier", "A pier"},
		{sentence + "\n\n```sh\n# a comment\n~~~\n# and one\n````\n# A pier", "A pier"},
		{sentence + "\n\n````\n# a\n```\n# b\n``\n# c\n````\n# A pier", "A pier"},
		{sentence + "\n\n```\n# a\n```sh\n# b\n``\n# c\n```\n# A pier", "A pier"},
		{sentence + "\n\n#  \r\n# #\t#\t#\n## A pier", "A pier"},
		{sentence + "\n\nA\r\n=\r\n# Then", "A"},
		{sentence + "\n\n~~~\n# a fence that stays open", "~~~\n# a fence that stays open"},
		{sentence + "\n\nA pier\n======\n\n# Then", "A pier"},
		{sentence + "\n\nFirst:\n  \n=====\n   A pier \n   ====\n", "A pier"},
		{sentence + "\n\n=====\n# A pier", "A pier"},
		{sentence + "\n\nFirst words\n```\n```\n=====\n# A pier", "A pier"},
		{sentence + "\n\n1. Fell trees.\n2. Saw them.\n", "1. Fell trees.\n2. Saw them."},
		{sentence + "\n\n# Ein Steg für Boote", "Ein Steg für Boote"},
	} {
		require.Equal(t, test.title, string(Title([]byte(test.prompt))), test.prompt)
	}
}
