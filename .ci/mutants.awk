# Reads what gremlins prints of the package named by the variable "pkg": a line for each change that the tests do not see.
# Prints how many of all they see, and which of the others gremlins did not try. Fails if gremlins did not come to its end.

# isCase reports whether a place is in the condition of a case. gofmt puts nothing else on its line.
function isCase(place,   at, file, i, line) {
	split(place, at, ":")
	file = "internal/" pkg "/" at[1]
	for (i = 0; i < at[2]; i++)
		if ((getline line < file) <= 0)
			break
	close(file)
	return line ~ /^\t*case /
}

/^ *NOT COVERED / {
	if (isCase($NF))
		inCase++
	else
		places = places " " $NF
}

$1 == "Killed:" {
	killed = $2 + 0
	lived = $4 + 0
	untried = $7 + 0
}

$1 == "Timed" && $2 == "out:" {
	late = $3 + 0
	ended = 1
}

END {
	if (!ended)
		exit 1
	while ((getline line < ".ci/mutants.txt") > 0)
		if (index(line, pkg "/") == 1)
			named++
	all = killed + lived + untried
	print ""
	print lived, "lived; of this package .ci/mutants.txt has", named + 0, "that change no answer"
	print inCase + 0, "were not tried, because they are in the condition of a case, for which Go counts no coverage"
	if (untried > inCase)
		print untried - inCase, "were not tried, because no test comes there:" places
	if (late)
		print late, "ran too long, and do not count"
	printf "the tests of %s see %d of %d changes: %.1f %%\n", pkg, killed, all, all ? 100 * killed / all : 100
}
