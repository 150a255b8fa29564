# made by make docs; do not edit

function __jl_ends
	for word in (commandline -o)[2..]
		string match -q -- '-*' $word; and continue
		jlleaf -a -u -- $word 2>/dev/null; and return
	end
end

complete -c jlrev -a "(jlrel --list 2>/dev/null | sed 's/.*\"sessionId\":\"\\([^\"]*\\)\".*/\\1/')"
complete -c jlrev -l home -x -a '(__fish_complete_directories)' -d 'The home, instead of $CLAUDE_CONFIG_DIR or ~/.claude'
complete -c jlrev -s h -l help -d 'Print this help'
complete -c jlrev -l version -d 'Print the version'
