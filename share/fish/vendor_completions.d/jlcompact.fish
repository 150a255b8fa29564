# made by make docs; do not edit

function __jl_ends
	for word in (commandline -o)[2..]
		string match -q -- '-*' $word; and continue
		test -e $word -a ! -f $word -a ! -d $word; and continue # a pipe, which might wait
		jlleaf -a -u -- $word 2>/dev/null; and return
	end
end

complete -c jlcompact -a "(jlrel --list 2>/dev/null | sed 's/.*\"sessionId\":\"\\([^\"]*\\)\".*/\\1/')"
complete -c jlcompact -l cold -d 'Print what is above the cut instead'
complete -c jlcompact -l list -d 'Print a row for each page between compactions'
complete -c jlcompact -s H -l with-filename -d 'With --list: name the FILE in each row, even if it is the only one'
complete -c jlcompact -s n -l page -x -d 'Print page K; negative ones count from the end'
complete -c jlcompact -l last -x -d 'Print only the newest N messages of the path'
complete -c jlcompact -l before -x -a '(__jl_ends)' -d 'With --last: print the N messages before this one'
complete -c jlcompact -l no-summary -d 'With --last: leave out the boundary and the summary'
complete -c jlcompact -s z -l zstd -d 'Compress the output as seekable zstd'
complete -c jlcompact -l level -x -d 'Compress with level N, 1 to 19; the default is 3'
complete -c jlcompact -l archive -d 'Replace each FILE by FILE.zst, safely'
complete -c jlcompact -l extract -d 'Replace each archive FILE.zst by FILE, safely'
complete -c jlcompact -l to -x -a '(__fish_complete_directories)' -d 'With --archive and --extract: write into DIR'
complete -c jlcompact -l keep -d 'With --archive and --extract: keep what is replaced'
complete -c jlcompact -l update -d 'With --archive: replace an archive that holds a beginning of FILE'
complete -c jlcompact -l home -x -a '(__fish_complete_directories)' -d 'Look only in this home of an agent; see man 7 jl'
complete -c jlcompact -s h -l help -d 'Print this help'
complete -c jlcompact -l version -d 'Print the version'
