package entry

import (
	"bytes"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// samples are whole entries of the kinds that occur. Together they have all that JSON
// allows.
var samples = []string{
	`{"parentUuid":"a","isSidechain":false,"sessionId":"s","type":"user","message":{"role":"user","content":[{"tool_use_id":"t1","type":"tool_result","content":"if x == \"y\" {\n\tpath := \"C:\\\\\"\n}","is_error":false}]},"uuid":"b","timestamp":"2026-01-01T00:00:00.000Z","toolUseResult":{"stdout":"{\"type\":\"user\",\"uuid\":\"z\"}","n":-1.5e+3,"list":[],"none":{}}}`,
	`{"parentUuid":"b","sessionId":"s","type":"progress","data":{"message":{"type":"user","message":{"role":"user","content":[{"type":"text","text":"go\u00e9 \ud83d\ude00"}]},"uuid":"nested","timestamp":"2026-01-01T00:00:00Z"},"normalizedMessages":[],"type":"agent_progress"},"uuid":"c","timestamp":"2026-01-01T00:00:01Z"}`,
	`{"type":"summary","summary":"a {title} \\","leafUuid":"c"}`,
	`{"type":"file-history-snapshot","messageId":"b","snapshot":{"messageId":"b","trackedFileBackups":{"a.go":{"backupFileName":null,"version":1}},"timestamp":"2026-01-01T00:00:00Z"},"isSnapshotUpdate":true}`,
	`{ "type" : "message" , "id" : "12345678" , "parentId" : null , "message" : { "role" : "user" , "content" : [ { "type" : "text" , "text" : "" } , 1 , 0.5 , 2E-7 , true , false , null ] } }`,
	`{"id":"x","parentId":"y","line":3,"offset":200,"length":90,"é":"ü","file":"a b.jsonl"}`,
}

func TestScan(t *testing.T) {
	deep := strings.Repeat(`{"uuid":"no","a":[`, 500) + strings.Repeat(`]}`, 500)
	tests := []struct {
		name, line string
		key        Key
		want       string // the value's text, "" for none
	}{
		{"empty object", `{}`, UUID, ``},
		{"empty object with spaces", "{ \t\r}", UUID, ``},
		{"string", `{"uuid":"x"}`, UUID, `"x"`},
		{"empty string", `{"uuid":""}`, UUID, `""`},
		{"null", `{"parentUuid":null}`, ParentUUID, `null`},
		{"true", `{"isSidechain":true}`, IsSidechain, `true`},
		{"false", `{"isMeta":false}`, IsMeta, `false`},
		{"zero", `{"offset":0}`, Offset, `0`},
		{"number", `{"offset":-12.50e+06}`, Offset, `-12.50e+06`},
		{"object", `{"message":{"id":"m"}}`, Message, `{"id":"m"}`},
		{"array", `{"message":[{},[]]}`, Message, `[{},[]]`},
		{"spaces everywhere", "{ \"type\"\t:\r\"user\" ,\t\"uuid\" :  \"x\" \r}", UUID, `"x"`},
		{"key in other case", `{"UUID":"x","Uuid":"x","uUID":"x"}`, UUID, ``},
		{"key with more", `{"uuid ":"x","uuids":"x","":"x"}`, UUID, ``},
		{"escaped key", `{"\u0075uid":"x"}`, UUID, `"x"`},
		{"escaped key, upper hex", `{"\u006Deta":1,"\u0069d":"x"}`, ID, `"x"`},
		{"key with another escape", `{"uu\/id":"x","uuid\u0000":"x","uuid\n":"x"}`, UUID, ``},
		{"key like an escape", `{"\\u0075uid":"x"}`, UUID, ``},
		{"key with a ligature", `{"ſessionId":"x"}`, SessionID, ``},
		{"repeated", `{"uuid":"x","uuid":"y"}`, UUID, `"y"`},
		{"repeated, other kind", `{"uuid":"x","uuid":null}`, UUID, `null`},
		{"repeated, escaped first", `{"\u0075uid":"x","uuid":"y"}`, UUID, `"y"`},
		{"repeated, escaped last", `{"uuid":"x","uui\u0064":"y"}`, UUID, `"y"`},
		{"decoy in an object", `{"message":{"uuid":"no"}}`, UUID, ``},
		{"decoy in an array", `{"message":[{"uuid":"no"}]}`, UUID, ``},
		{"decoy after", `{"uuid":"x","data":{"uuid":"no"}}`, UUID, `"x"`},
		{"decoys far below", `{"data":` + deep + `,"uuid":"x"}`, UUID, `"x"`},
		{"decoy in a string", `{"text":"\"uuid\":\"no\",","uuid":"x"}`, UUID, `"x"`},
		{"decoy in a nested string", `{"data":{"text":"}},\"uuid\":\"no\""},"uuid":"x"}`, UUID, `"x"`},
		{"decoy as a value", `{"type":"uuid","subtype":"x"}`, UUID, ``},
		{"brackets in strings", `{"data":["]","}","[","{"],"uuid":"x"}`, UUID, `"x"`},
		{"one backslash at a string's end", `{"data":"\\","uuid":"x"}`, UUID, `"x"`},
		{"two", `{"data":"\\\\","uuid":"x"}`, UUID, `"x"`},
		{"a quote at a string's end", `{"data":"\"","uuid":"x"}`, UUID, `"x"`},
		{"backslash and quote", `{"data":"\\\"","uuid":"x"}`, UUID, `"x"`},
		{"a thousand backslashes", `{"data":["` + strings.Repeat(`\\`, 1000) + `","` + strings.Repeat(`\\`, 1000) + `\""],"uuid":"x"}`, UUID, `"x"`},
		{"backslashes at a key's end", `{"\\":{"\\\"":1},"uuid":"x"}`, UUID, `"x"`},
		{"the field itself", `{"uuid":"x\\"}`, UUID, `"x\\"`},
		{"invalid UTF-8", "{\"uuid\":\"\xff\xc0\"}", UUID, "\"\xff\xc0\""},
		{"lone surrogate", `{"uuid":"\ud800"}`, UUID, `"\ud800"`},
		{"not a string", `{"uuid":{"uuid":"no"}}`, UUID, `{"uuid":"no"}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var e Entry
			require.True(t, e.Scan([]byte(test.line)))
			require.Equal(t, test.want, string(e.Get(test.key)))
			require.Equal(t, test.line, string(e.Bytes))
			require.True(t, Valid([]byte(test.line)))
		})
	}
}

var keyNames = map[string]Key{
	"uuid": UUID, "parentUuid": ParentUUID, "id": ID, "parentId": ParentID, "type": Type, "subtype": Subtype,
	"timestamp": Timestamp, "isSidechain": IsSidechain, "isMeta": IsMeta, "isSynthetic": IsSynthetic, "client_composed": ClientComposed, "origin": Origin, "planContent": PlanContent,
	"isCompactSummary": IsCompactSummary, "isApiErrorMessage": IsAPIError,
	"teamName": TeamName, "sessionId": SessionID, "logicalParentUuid": LogicalParentUUID, "message": Message,
	"leafUuid": LeafUUID, "messageId": MessageID, "summary": Summary,
	"line": Line, "offset": Offset,
	"length": Length, "file": File,
}

func TestScanFindsEachKey(t *testing.T) {
	require.Len(t, keyNames, int(keys))
	for name, key := range keyNames {
		var e Entry
		require.True(t, e.Scan([]byte(`{"`+name+`":1,"other":2}`)))
		for k := range keys {
			require.Equal(t, k == key, e.Get(k) != nil, name)
		}
		require.True(t, e.Scan([]byte(`{"data":{"`+name+`":1}}`)))
		require.Nil(t, e.Get(key), "value of the previous line")
	}
}

func TestScanRefuses(t *testing.T) {
	tests := []struct{ name, line string }{
		{"nothing", ``},
		{"space", ` `},
		{"array", `[]`},
		{"string", `"{}"`},
		{"number", `1`},
		{"open", `{`},
		{"open, space", `{ `},
		{"two", `{}{}`},
		{"space before", ` {}`},
		{"space after", `{} `},
		{"something after", `{"a":1}x`},
		{"bracket after", `{"a":1}}`},
		{"comma only", `{,}`},
		{"comma last", `{"a":1,}`},
		{"comma last, no end", `{"a":1,`},
		{"comma twice", `{"a":1,,"b":2}`},
		{"no comma", `{"a":1 "b":2}`},
		{"no colon", `{"a" 1}`},
		{"no value", `{"a":}`},
		{"key only", `{"a"}`},
		{"key open", `{"a`},
		{"key without quotes", `{a:1}`},
		{"value open", `{"a":"x}`},
		{"value open, escaped quote", `{"a":"x\"}`},
		{"wrong word", `{"a":nul}`},
		{"wrong word, longer", `{"a":nullx}`},
		{"wrong word, case", `{"a":True}`},
		{"NaN", `{"a":NaN}`},
		{"number with a leading zero", `{"a":01}`},
		{"number with a plus", `{"a":+1}`},
		{"minus alone", `{"a":-}`},
		{"no digit before the point", `{"a":.5}`},
		{"no digit after the point", `{"a":1.}`},
		{"no exponent", `{"a":1e}`},
		{"no exponent after its sign", `{"a":1e+}`},
		{"NUL", "{\"a\":\x00}"},
		{"nested: open", `{"a":[}`},
		{"nested: open string", `{"a":["]}`},
		{"nested: foreign byte", `{"a":[x]}`},
		{"nested: NUL", "{\"a\":[\x00]}"},
		{"nested: not closed", `{"a":{"b":[1,2}`},
		{"field: no such escape", `{"uuid":"\x"}`},
		{"field: short escape", `{"uuid":"\u12g4"}`},
		{"field: control character", "{\"uuid\":\"\x01\"}"},
		{"name: NUL", "{\"uu\x00d\":\"a\"}"},
		{"name: raw TAB", "{\"x\ty\":\"a\"}"},
		{"field: unsound, but repeated", `{"uuid":"\x","uuid":"x"}`},
		{"key: short escape", `{"\uuuid":"x"}`},
		{"key: no such escape", `{"\uid":"x"}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var e Entry
			require.False(t, e.Scan([]byte(test.line)))
			require.False(t, Valid([]byte(test.line)) && test.line[0] == '{' && !strings.HasSuffix(test.line, " "))
		})
	}
}

func TestScanTornIsNeverAnEntry(t *testing.T) {
	var e Entry
	var d Decoder
	for _, s := range samples {
		require.True(t, e.Scan([]byte(s)), s)
		require.True(t, Valid([]byte(s)), s)
		for n := range len(s) {
			torn := []byte(s[:n])
			require.False(t, e.Scan(torn), "%s", torn)
			require.False(t, Valid(torn), "%s", torn)
			for _, end := range []string{"", "\n", "\r\n", " ", "\x00"} {
				es, _ := decoded(&d, []byte(s[:n]+end), true)
				require.Empty(t, es, "%q", s[:n]+end)
			}
		}
	}
}

func TestMutationsNeverPanic(t *testing.T) {
	for _, s := range samples {
		b := []byte(s)
		for i := range b {
			for c := range 256 {
				b[i] = byte(c)
				checkDecoded(t, b)
			}
			b[i] = s[i]
		}
	}
}

func TestScanMillionDeep(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(64 << 10))
	const n = 500_000
	line := []byte(`{"data":` + strings.Repeat(`[{"uuid":`, n) + `1` + strings.Repeat(`}]`, n) + `,"uuid":"x"}`)
	var d Decoder
	es, damage := decoded(&d, line, false)
	require.Nil(t, damage)
	require.Equal(t, `"x"`, string(es[0].Get(UUID)))
	require.True(t, Valid(line))
	line[len(line)-1] = ' '
	es, damage = decoded(&d, line, false)
	require.NotNil(t, damage)
	require.Empty(t, es)
}

func TestScanLongLine(t *testing.T) {
	text := bytes.Repeat([]byte(`0123456789 \"quoted\" \\ {[,:]} é `), 20<<20/35)
	line := append(append([]byte(`{"data":"`), text...), `","uuid":"x"}`...)
	var e Entry
	require.True(t, e.Scan(line))
	require.Equal(t, `"x"`, string(e.Get(UUID)))
	require.False(t, e.Scan(line[:len(line)-1]))
}

func TestScanAllocatesNothing(t *testing.T) {
	var d Decoder
	lines := [][]byte{[]byte(samples[0] + "\n"), []byte(`{"\u0075uid":"x","\u0061nother":1}`)}
	d.Decode(lines[0], 2, 5000)
	for _, line := range lines {
		require.Zero(t, testing.AllocsPerRun(100, func() { d.Decode(line, 2, 5000) }))
	}
}

// TestScanWhole: ScanWhole finds what Scan finds in objects that are valid throughout, and
// refuses all others, whatever the Entry held before.
func TestScanWhole(t *testing.T) {
	var whole Entry
	for _, text := range []string{
		`{}`, ` {}`, `{"uuid":"a"}`, `{"uuid":"a","message":{"content":[1,{"a":null}]},"type" : "user" }`,
		`{"uuid":"a","message":{"a" 1}}`, `{"uuid":"a","message":[1 2]}`, `{"uuid":"a","x":"\q"}`, `{"uuid":"a","x":1}`,
		`{"uuid":"a","x":01}`, `{"uuid":"a"`, `{"uuid":"a"}x`, `[]`, ``, `{"uuid":"a","x":tru}`, "{\"x\":\"\n\"}",
		`{"a":` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + `,"uuid":"b"}`,
		`{"a":` + strings.Repeat("[", 200) + strings.Repeat("]", 199) + `,"uuid":"b"}`,
	} {
		var e Entry
		scanned := e.Scan([]byte(text))
		got := whole.ScanWhole([]byte(text))
		require.Equal(t, scanned && Valid([]byte(text)), got, text)
		if got {
			require.Equal(t, e.Bytes, whole.Bytes, text)
			require.Equal(t, e.val, whole.val, text)
		}
	}
}
