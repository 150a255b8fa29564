# made by make docs; do not edit

function __jl_ends
	for word in (commandline -o)[2..]
		string match -q -- '-*' $word; and continue
		test -e $word -a ! -f $word -a ! -d $word; and continue # a pipe, which might wait
		jlleaf -a -u -- $word 2>/dev/null; and return
	end
end

complete -c jlleaf -a "(jlrel --list 2>/dev/null | sed 's/.*\"sessionId\":\"\\([^\"]*\\)\".*/\\1/')"
complete -c jlleaf -s a -l all -d 'Print all ends, newest first'
complete -c jlleaf -s l -l leaf -x -a '(__jl_ends)' -d 'Print the edge of the entry with this id, or its unique beginning'
complete -c jlleaf -l as -x -a 'claude claude-2.1 claude-2.0 sdk sdk-system' -d 'Choose as another program does'
complete -c jlleaf -s u -l uuid -d 'Print the id alone'
complete -c jlleaf -s H -l with-filename -d 'Name the FILE in each record, even if it is the only one'
complete -c jlleaf -l home -x -a '(__fish_complete_directories)' -d 'Look only in this home of an agent; see man 7 jl'
complete -c jlleaf -s h -l help -d 'Print this help'
complete -c jlleaf -l version -d 'Print the version'
