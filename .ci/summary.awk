# Reads what go test -v prints, followed by a line "status N" with its exit status. Prints one
# line for each package, and before it what the tests that failed have said. Writes to the
# file named by the variable "skips" which tests were skipped and why, also those that logged
# that they skipped a part, and exits with N.

function skip(test, reason) {
	sub(/^ *[a-z_0-9]+\.go:[0-9]+: (skipped: )?/, "", reason)
	if (!(reason in skipped))
		reasons[++n] = reason
	skipped[reason] = skipped[reason] " " test
}

/^=== / { test = $3; next }

/^ *[a-z_0-9]+\.go:[0-9]+: skipped: / { skip(test, $0) }

/^ *--- (PASS|FAIL|SKIP): / {
	if ($2 == "FAIL:")
		failures = failures said[$3] $0 "\n"
	if ($2 == "SKIP:") {
		reason = said[$3]
		sub(/\n$/, "", reason)
		sub(/.*\n/, "", reason)
		skip($3, reason)
	}
	delete said[$3]
	next
}

/^(ok|FAIL|\?) *\t/ {
	if ($1 == "FAIL")
		printf "%s%s", failures, said[test] # a panic
	if ($1 != "?")
		print
	split("", said)
	failures = test = ""
	next
}

$1 == "status" && NF == 2 {
	status = $2
	next
}

{ said[test] = said[test] $0 "\n" }

END {
	for (i = 1; i <= n; i++)
		print "skipped: " reasons[i] ":" skipped[reasons[i]] >skips
	if (n == 0)
		print "skipped: none" >skips
	printf "%s", said[""] # go test has not begun
	exit status
}
