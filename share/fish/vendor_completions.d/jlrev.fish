# made by make docs; do not edit

complete -c jlrev -l home -x -a '(__fish_complete_directories)' -d 'The home, instead of $CLAUDE_CONFIG_DIR or ~/.claude'
complete -c jlrev -s h -l help -d 'Print this help'
complete -c jlrev -l version -d 'Print the version'
