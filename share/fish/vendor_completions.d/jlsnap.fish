# made by make docs; do not edit

function __jl_ends
	for word in (commandline -o)[2..]
		string match -q -- '-*' $word; and continue
		test -e $word -a ! -f $word -a ! -d $word; and continue # a pipe, which might wait
		jlleaf -a -u -- $word 2>/dev/null; and return
	end
end

complete -c jlsnap -a "(jlrel --list 2>/dev/null | sed 's/.*\"sessionId\":\"\\([^\"]*\\)\".*/\\1/')"
complete -c jlsnap -s l -l leaf -x -a '(__jl_ends)' -d 'Answer for the entry with this id, or its unique beginning'
complete -c jlsnap -l as -x -a 'claude claude-2.1 claude-2.0 sdk sdk-system' -d 'Take the path of another program'
complete -c jlsnap -l files -d 'Print the state of each tracked path as of the last prompt at or above that entry'
complete -c jlsnap -l restore -x -a '(__fish_complete_directories)' -d 'Write that state into DIR, which is new or empty'
complete -c jlsnap -l force -d 'With --restore: into a directory that is not empty; replace existing files'
complete -c jlsnap -s 0 -l null -d 'With --restore: end each name printed with NUL'
complete -c jlsnap -s H -l with-filename -d 'With --files: name the FILE in each row, even if it is the only one'
complete -c jlsnap -l home -x -a '(__fish_complete_directories)' -d 'Look only in this home of an agent; see man 7 jl'
complete -c jlsnap -s h -l help -d 'Print this help'
complete -c jlsnap -l version -d 'Print the version'
