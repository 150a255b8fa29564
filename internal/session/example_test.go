package session_test

import (
	"fmt"
	"os"
	"path/filepath"

	"jl/internal/session"
)

func ExampleOwner() {
	fmt.Println(session.Owner("11111111-1111-4111-8111-111111111111-agent-a1.json"))
	fmt.Println(session.Owner("latest") == "")
	// Output:
	// 11111111-1111-4111-8111-111111111111
	// true
}

func ExampleHome_Members() {
	const id = "11111111-1111-4111-8111-111111111111"
	dir, err := os.MkdirTemp("", "home")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	for _, name := range []string{"projects/-w/" + id + ".jsonl", "debug/" + id + ".txt"} {
		file := filepath.Join(dir, name)
		_ = os.MkdirAll(filepath.Dir(file), 0o777)
		_ = os.WriteFile(file, []byte("{}\n"), 0o666)
	}
	homes, errs := session.Open([]string{dir})
	if errs != nil {
		fmt.Println(errs)
		return
	}
	defer homes.Close()
	for m, err := range homes[0].Members(id) {
		fmt.Println(m.Kind, m.Name, err)
	}
	// Output:
	// session projects/-w/11111111-1111-4111-8111-111111111111.jsonl <nil>
	// debug debug/11111111-1111-4111-8111-111111111111.txt <nil>
}
