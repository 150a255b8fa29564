# made by make docs; do not edit

function __jl_ends
	for word in (commandline -o)[2..]
		string match -q -- '-*' $word; and continue
		test -e $word -a ! -f $word -a ! -d $word; and continue # a pipe, which might wait
		jlleaf -a -u -- $word 2>/dev/null; and return
	end
end

complete -c jltree -a "(jlrel --list 2>/dev/null | sed 's/.*\"sessionId\":\"\\([^\"]*\\)\".*/\\1/')"
complete -c jltree -l graph -d 'Draw each log, newest first: a row for each stretch of entries without a fork'
complete -c jltree -l dot -d 'Write the same drawing for Graphviz'
complete -c jltree -l all -d 'With --graph or --dot: draw each turn'
complete -c jltree -l check -d 'Print what is wrong with each log: a row for each finding, and totals'
complete -c jltree -l strict -d 'With --check: status 1 for warnings too'
complete -c jltree -l notes -d 'With --check: print notes too, which are only counted'
complete -c jltree -s H -l with-filename -d 'Name the FILE in each record, even if it is the only one'
complete -c jltree -l home -x -a '(__fish_complete_directories)' -d 'Look only in this home of an agent; see man 7 jl'
complete -c jltree -s h -l help -d 'Print this help'
complete -c jltree -l version -d 'Print the version'
