# Reads a coverage profile and prints the share of each package's statements that ran. Fails
# if it is less than 95 % for one of them.

NR > 1 {
	size[$1] = $2
	if ($3)
		tested[$1] = $2
}

END {
	for (block in size) {
		pkg = block
		sub("/[^/]*$", "", pkg)
		all[pkg] += size[block]
		sum[pkg] += tested[block]
	}
	for (pkg in all) {
		share = 100 * sum[pkg] / all[pkg]
		printf "%5.1f %% %s\n", share, pkg | "sort -k 3"
		if (share < 95)
			bad = 1
	}
	close("sort -k 3")
	if (bad)
		print "less than 95 %"
	exit bad
}
