# Reads what go test -v prints, followed by a line "status N" with its exit status. Prints one
# line for each package, and before it what the tests that failed have said, and exits with N.
#
# Writes to the file named by the variable "skips" what was not tested: for each reason the tests and
# the lines of scripts, by package, and then in one sentence what that means. No line is longer than
# 100 columns.

BEGIN {
	# What the tests of documents are called in that sentence.
	documents["TestReadme/README.md"] = "the README"
	documents["TestReadme/guide.md"] = "the guide"
	documents["TestCookbook"] = "the cookbook"
	documents["TestJq"] = "the jq library"
	documents["TestLibraryManual"] = "the examples of jl.jq(7)"
	documents["TestHelpExamples"] = "the examples of --help"
}

# document returns the one that a test is of, "" if there is none.
function document(test,   d) {
	for (d in documents)
		if (index(test "/", d "/") == 1)
			return documents[d]
	return ""
}

function left_out(what, why) {
	n++
	whats[n] = what
	whys[n] = why
	of[n] = document(test)
}

/^=== / { test = $3; next }

/^ *[a-z_0-9]+\.go:[0-9]+: not tested: / {
	line = $0
	sub(/^ *[a-z_0-9]+\.go:[0-9]+: not tested: /, "", line)
	at = index(line, ": ")
	left_out(substr(line, 1, at - 1), substr(line, at + 2))
}

# A script that is skipped has said so above.
/^ *--- (PASS|FAIL|SKIP): / {
	if ($2 == "FAIL:")
		failures = failures said[$3] $0 "\n"
	test = $3
	ran[document(test)]++
	if ($2 == "SKIP:" && test !~ /\/scripts\//) {
		why = said[test]
		sub(/\n$/, "", why)
		sub(/.*\n/, "", why)
		sub(/^ *[a-z_0-9]+\.go:[0-9]+: /, "", why)
		left_out(test, why)
	}
	delete said[test]
	next
}

/^(ok|FAIL|\?) *\t/ {
	if ($1 == "FAIL")
		printf "%s%s", failures, said[test] # a panic
	if ($1 != "?")
		print
	for (; named < n; )
		add(whats[++named], $2, whys[named], of[named])
	split("", said)
	failures = test = ""
	next
}

$1 == "status" && NF == 2 {
	status = $2
	next
}

{ said[test] = said[test] $0 "\n" }

# add adds what was left out to the list of its reason and package, the parts of a test as one.
function add(what, pkg, why, doc,   top, key) {
	sub(/^[^\/]*\//, "", pkg)
	if (!(why in reasons)) {
		reasons[why] = 1
		reason[++count] = why
	}
	if (!((why, pkg) in packages)) {
		packages[why, pkg] = 1
		list[why] = list[why] pkg "\n"
	}
	top = what
	if (what !~ /\.txtar/)
		sub(/\/.*/, "", top)
	key = why SUBSEP pkg SUBSEP top
	if (!(key in parts))
		names[why, pkg] = names[why, pkg] top "\n"
	parts[key]++
	if (what != top)
		partial[key] = 1
	if (what ~ /\.txtar$/)
		scripts[why]++
	else if (what ~ /\.txtar:/) {
		sub(/:.*/, "", what)
		if (!((why, pkg, what) in cut)) {
			cut[why, pkg, what] = 1
			lines[why]++
		}
	} else if (doc != "")
		docs[why, doc]++
	else if (parts[key] == 1)
		others[why]++
}

# wrapped prints words, which are separated by a character, in lines of 100 columns at most.
function wrapped(begin, text, by,   word, i, m, line) {
	m = split(text, word, by)
	line = begin
	for (i = 1; i <= m; i++) {
		if (length(line) + length(word[i]) + 1 > 100) {
			print line >skips
			line = "       "
		}
		line = line " " word[i]
	}
	print line >skips
}

function several(n, one, many) { return n == 0 ? "" : n == 1 ? "|1 " one : "|" n " " many }

# meaning returns what is left out for a reason, in words.
function meaning(why,   text, d, doc, seen) {
	text = ""
	for (d in documents) {
		doc = documents[d]
		if ((why, doc) in docs && !(doc in seen)) {
			seen[doc] = 1
			text = text "|" (docs[why, doc] < ran[doc] - 2 ? "parts of " : "") doc
		}
	}
	text = text several(scripts[why], "script", "scripts") several(lines[why], "script in part", "scripts in part")
	text = text several(others[why], (text == "" ? "" : "other ") "test", (text == "" ? "" : "other ") "tests")
	return substr(text, 2)
}

END {
	for (i = 1; i <= count; i++) {
		why = reason[i]
		print why ":" >skips
		m = split(list[why], pkgs, "\n")
		for (j = 1; j < m; j++) {
			text = ""
			k = split(names[why, pkgs[j]], tops, "\n")
			for (l = 1; l < k; l++) {
				key = why SUBSEP pkgs[j] SUBSEP tops[l]
				text = text (l > 1 ? "|" : "") tops[l]
				if (key in partial)
					text = text " (" parts[key] (parts[key] == 1 ? " part)" : " parts)")
			}
			wrapped("    " pkgs[j] ":", text, "|")
		}
	}
	for (i = 1; i <= count; i++) {
		text = meaning(reason[i])
		gsub(/\|/, ",|", text)
		wrapped("not tested here:", text "|(" reason[i] ")", "|")
	}
	if (count == 0)
		print "all was tested" >skips
	printf "%s", said[""] # go test has not begun
	exit status
}
