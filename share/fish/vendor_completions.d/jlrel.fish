# made by make docs; do not edit

function __jl_ends
	for word in (commandline -o)[2..]
		string match -q -- '-*' $word; and continue
		test -e $word -a ! -f $word -a ! -d $word; and continue # a pipe, which might wait
		jlleaf -a -u -- $word 2>/dev/null; and return
	end
end

complete -c jlrel -a "(jlrel --list 2>/dev/null | sed 's/.*\"sessionId\":\"\\([^\"]*\\)\".*/\\1/')"
complete -c jlrel -l report -d 'Print one object for each session'
complete -c jlrel -l links -d 'Print the links between the entries'
complete -c jlrel -l orphans -d 'Print members whose session is gone'
complete -c jlrel -l missing -d 'With --orphans: also members that are gone although their session names them'
complete -c jlrel -l list -d 'Print the sessions, newest first'
complete -c jlrel -l homes -d 'Print the homes of agents that are there'
complete -c jlrel -l all -d 'List sub-agents too, a row for each of their logs'
complete -c jlrel -l cwd -x -a '(__fish_complete_directories)' -d 'List only sessions of exactly this working directory, and of its worktrees'
complete -c jlrel -l under -x -a '(__fish_complete_directories)' -d 'List only sessions of this directory and of all below'
complete -c jlrel -l since -x -d 'List only sessions with an entry since then: a day or a local time (2026-11-20, monday, \'last week\'), @SECONDS, or how long ago (90m, 12h, 7d)'
complete -c jlrel -l until -x -d 'List only sessions begun by then; a day counts whole'
complete -c jlrel -s 0 -l null -d 'Print paths only, each ended by NUL'
complete -c jlrel -l relative -d 'With -0, print paths relative to the home'
complete -c jlrel -s H -l with-filename -d 'With --links: name the log in each row, even if it is the only one'
complete -c jlrel -l home -x -a '(__fish_complete_directories)' -d 'Look only in this home of an agent; see man 7 jl'
complete -c jlrel -s h -l help -d 'Print this help'
complete -c jlrel -l version -d 'Print the version'
