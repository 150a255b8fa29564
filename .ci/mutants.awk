# Reads what gremlins prints of the package named by the variable "pkg": a line for each change that the tests do not see.
# Prints which of these change no answer, as .ci/mutants.txt says, which gremlins did not try, and how many of the others
# the tests see. Fails if gremlins did not come to its end.

# lineOf returns the line of the source at a place: file:line:column.
function lineOf(place,   at, file, i, line) {
	split(place, at, ":")
	file = "internal/" pkg "/" at[1]
	for (i = 0; i < at[2]; i++)
		if ((getline line < file) <= 0)
			break
	close(file)
	return line
}

# nameOf returns the number of the named change whose expression is at a place, 0 if none is.
function nameOf(place,   at, line, i, begin, skipped) {
	split(place, at, ":")
	for (i = 1; i <= names; i++) {
		if (file[i] != at[1])
			continue
		line = lineOf(place)
		for (skipped = 0; begin = index(line, expression[i]); skipped += begin) {
			if (at[3] >= skipped + begin && at[3] < skipped + begin + length(expression[i]))
				return i
			line = substr(line, begin + 1)
		}
	}
	return 0
}

BEGIN {
	while ((getline line < ".ci/mutants.txt") > 0)
		if (index(line, pkg "/") == 1) {
			split(line, part, "`")
			file[++names] = substr(line, length(pkg) + 2, index(line, " ") - length(pkg) - 2)
			expression[names] = part[2]
		}
}

/^ *LIVED / {
	if (name = nameOf($NF)) {
		equal++
		met[name] = 1
	} else
		alive = alive " " $NF
}

# gofmt puts nothing else on the line of a case.
/^ *NOT COVERED / {
	if (lineOf($NF) ~ /^\t*case /)
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
	for (i = 1; i <= names; i++)
		if (!met[i])
			unmet = unmet " " file[i] " `" expression[i] "`"
	all = killed + lived + untried
	print ""
	if (lived > equal)
		print lived - equal, "lived:" alive
	print inCase + 0, "were not tried, because they are in the condition of a case, for which Go counts no coverage"
	if (untried > inCase)
		print untried - inCase, "were not tried, because Go counts no coverage there or no test comes there:" places
	if (late)
		print late, "ran too long, and do not count"
	if (unmet)
		print ".ci/mutants.txt names, but did not live:" unmet
	others = all - equal
	printf "of %d changes %d change no answer; the tests of %s see %d of the other %d: %.1f %%\n", \
		all, equal, pkg, killed, others, others ? 100 * killed / others : 100
}
