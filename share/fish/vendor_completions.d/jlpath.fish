# made by make docs; do not edit

function __jl_ends
	for word in (commandline -o)[2..]
		string match -q -- '-*' $word; and continue
		test -e $word -a ! -f $word -a ! -d $word; and continue # a pipe, which might wait
		jlleaf -a -u -- $word 2>/dev/null; and return
	end
end

complete -c jlpath -a "(jlrel --list 2>/dev/null | sed 's/.*\"sessionId\":\"\\([^\"]*\\)\".*/\\1/')"
complete -c jlpath -s l -l leaf -x -a '(__jl_ends)' -d 'End at the entry with this id, or its unique beginning'
complete -c jlpath -s s -l said -f -a '(__fish_append , prompt answer thinking call result file todo usage bill error hook shell task member context compaction summary recap title session picture fired unread)' -d 'Print rows in place of entries: what was said and done'
complete -c jlpath -s a -l all -d 'Print each whole entry once, in file order: a healed log'
complete -c jlpath -l union -d 'Print the entries of all paths once, in file order'
complete -c jlpath -l chain -d 'Print the parents only, without parallel calls'
complete -c jlpath -l bridge -d 'Tie an entry without its parent to what came before it'
complete -c jlpath -s t -l through -d 'Go on to the true beginning: across compactions, gaps and plans that began afresh'
complete -c jlpath -l meta -d 'Add the path\'s snapshots, summaries, titles and tags, and the header of a list'
complete -c jlpath -l as -x -a 'claude claude-2.1 claude-2.0 sdk sdk-system' -d 'Answer as another program does'
complete -c jlpath -l strip -d 'Leave out isSidechain and parentUuid'
complete -c jlpath -l session -x -d 'Write UUID as each sessionId'
complete -c jlpath -l cwd -x -a '(__fish_complete_directories)' -d 'Write DIR in place of the log\'s first cwd'
complete -c jlpath -l home -x -a '(__fish_complete_directories)' -d 'Look only in this home of an agent; see man 7 jl'
complete -c jlpath -s h -l help -d 'Print this help'
complete -c jlpath -l version -d 'Print the version'
