function __promod_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __promod_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __promod_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __promod_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __promod_parse_tokens -S
    set -l unparsed_tokens (__promod_tokens -pc)
    switch $unparsed_tokens[1]
    case 'promod'
        __promod_parse_subcommand 0 'catalog-url=' 'sample' 'catalog-file=' 'log-level=' 'set=+' 'background' 'app=' 'bundled=' 'exit-idle-time=' 'print-configuration' 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'validate'
            __promod_parse_subcommand 1 'ca-file=' 'proxy=' 'no-icons' 'strict' 'json' 'h/help'
        case 'help'
            __promod_parse_subcommand -r 1 
        end
    end
end

function __promod_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __promod_parse_subcommand -S -a positional_count
    argparse -s r -- $argv
    set -l option_specs $argv[2..]
    set -l is_repeating_positional $_flag_r
    set -el _flag_r
    set -a commands $unparsed_tokens[1]
    set positional_index 0
    while true
        set -e unparsed_tokens[1]
        argparse -sn "$commands" $option_specs -- $unparsed_tokens 2> /dev/null
        set unparsed_tokens $argv
        set positional_index (math $positional_index + 1)
        for non_repeating_flag_or_option in $non_repeating_flags_or_options
            if set -ql "_flag_$(string replace -a - _ -- $non_repeating_flag_or_option)"
                set non_repeating_flags_or_options_absent 1
                break
            end
        end
        test (count $unparsed_tokens) -eq 0 -o \( -z "$is_repeating_positional" -a "$positional_index" -gt "$positional_count" \) && break
    end
end

function __promod_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __promod_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__promod_tokens -p)
    if test -z "$(__promod_tokens -t)"
        set -l index (count (__promod_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens
end

complete -c 'promod' -f
complete -c 'promod' -n '__promod_should_offer_completions_for_flags_or_options "promod" catalog-url' -l 'catalog-url' -d 'The default catalog\'s address, or "sample".' -rfka ''
complete -c 'promod' -n '__promod_should_offer_completions_for_flags_or_options "promod" sample' -l 'sample' -d 'The same as --catalog-url sample.'
complete -c 'promod' -n '__promod_should_offer_completions_for_flags_or_options "promod" catalog-file' -l 'catalog-file' -d 'For tests: serve this file\'s apps on another socket, under any name; reviews do not wait.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'json\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'promod' -n '__promod_should_offer_completions_for_flags_or_options "promod" log-level' -l 'log-level' -d 'The lowest level to log, from trace to critical. (info)' -rfka 'trace debug info notice warning error critical'
complete -c 'promod' -n '__promod_should_offer_completions_for_flags_or_options "promod"' -l 'set' -d 'Set a key, such as refresh.interval=1h.' -rfka 'refresh.interval= refresh.timeout= retry.base= retry.cap= review.min-completions= review.min-days-since-first-launch= review.min-days-since-last-request= review.max-per-year= network.proxy= network.ca-file= socket.max-connections= log.level= background='
complete -c 'promod' -n '__promod_should_offer_completions_for_flags_or_options "promod" background' -l 'background' -d 'Return when clients can be served. If nobody listens, start a daemon in the background.'
complete -c 'promod' -n '__promod_should_offer_completions_for_flags_or_options "promod" app' -l 'app' -d 'With --background: keep the catalog at --catalog-url for this app from now on.' -rfka ''
complete -c 'promod' -n '__promod_should_offer_completions_for_flags_or_options "promod" bundled' -l 'bundled' -d 'With --app: a list for the time before the first fetch.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'json\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'promod' -n '__promod_should_offer_completions_for_flags_or_options "promod" exit-idle-time' -l 'exit-idle-time' -d 'End after so long without a connection and a fetch. (15 with --background)' -rfka ''
complete -c 'promod' -n '__promod_should_offer_completions_for_flags_or_options "promod" print-configuration' -l 'print-configuration' -d 'Print each value in force and its source, and exit.'
complete -c 'promod' -n '__promod_should_offer_completions_for_flags_or_options "promod" version' -l 'version' -d 'Print promod\'s and its libraries\' versions, and exit.'
complete -c 'promod' -n '__promod_should_offer_completions_for_flags_or_options "promod" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'promod' -n '__promod_should_offer_completions_for_positional "promod" -eq 1' -fa 'validate' -d 'Check a catalog against the rules of the daemon.'
complete -c 'promod' -n '__promod_should_offer_completions_for_positional "promod" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'promod' -n '__promod_should_offer_completions_for_positional "promod validate" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'json\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'promod' -n '__promod_should_offer_completions_for_flags_or_options "promod validate" ca-file' -l 'ca-file' -d 'For an address: a PEM file of additional certificates to trust.' -rF
complete -c 'promod' -n '__promod_should_offer_completions_for_flags_or_options "promod validate" proxy' -l 'proxy' -d 'For an address: a proxy, such as http://proxy.example:3128, or "direct" for none.' -rfka ''
complete -c 'promod' -n '__promod_should_offer_completions_for_flags_or_options "promod validate" no-icons' -l 'no-icons' -d 'For an address: leave out its icons.'
complete -c 'promod' -n '__promod_should_offer_completions_for_flags_or_options "promod validate" strict' -l 'strict' -d 'Exit with 1 if there are warnings.'
complete -c 'promod' -n '__promod_should_offer_completions_for_flags_or_options "promod validate" json' -l 'json' -d 'Print the findings as one line of JSON.'
complete -c 'promod' -n '__promod_should_offer_completions_for_flags_or_options "promod validate" h help' -s 'h' -l 'help' -d 'Show help information.'
