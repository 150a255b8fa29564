package entry_test

import (
	"fmt"

	"jl/internal/entry"
)

func ExampleEntry_Scan() {
	var e entry.Entry
	ok := e.Scan([]byte(`{"uuid":"b","parentUuid":"a","message":{"uuid":"not this one"},"UUID":"nor this"}`))
	fmt.Println(ok)
	fmt.Printf("%s %s\n", e.Get(entry.UUID), e.Get(entry.UUID).Text())
	fmt.Println(e.Get(entry.Timestamp) == nil)
	// Output:
	// true
	// "b" b
	// true
}

// An entry that was cut off does not cost the one after it.
func ExampleDecoder_Decode() {
	var d entry.Decoder
	count, damage := d.Decode([]byte(`{"uuid":"a","type":"user","mess{"uuid":"b","type":"user"}`+"\n"), 2, 5000)
	for i := range count {
		e := d.Entry(i)
		fmt.Printf("%d %s\n", e.Pos.Offset, e.Bytes)
	}
	fmt.Println(damage.Lost(), damage)
	// Output:
	// 5031 {"uuid":"b","type":"user"}
	// true torn entry; recovered the entry at byte 5031
}
