function __promoctl_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __promoctl_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __promoctl_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __promoctl_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __promoctl_parse_tokens -S
    set -l unparsed_tokens (__promoctl_tokens -pc)
    switch $unparsed_tokens[1]
    case 'promoctl'
        __promoctl_parse_subcommand 0 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'list'
            __promoctl_parse_subcommand 0 'host=' 'language=' 'limit=' 'unlaunched' 'catalog=' 'json' 'socket=' 'version' 'h/help'
        case 'page'
            __promoctl_parse_subcommand 1 'host=' 'language=' 'limit=' 'unlaunched' 'catalog=' 'output=' 'json' 'socket=' 'version' 'h/help'
        case 'status'
            __promoctl_parse_subcommand 0 'catalog=' 'json' 'socket=' 'version' 'h/help'
        case 'doctor'
            __promoctl_parse_subcommand 0 'v/verbose' 'json' 'socket=' 'version' 'h/help'
        case 'events'
            __promoctl_parse_subcommand -r 1 'host=' 'since=' 'catalog=' 'json' 'socket=' 'version' 'h/help'
        case 'tap'
            __promoctl_parse_subcommand 1 'host=' 'open' 'catalog=' 'json' 'socket=' 'version' 'h/help'
        case 'impression'
            __promoctl_parse_subcommand -r 1 'host=' 'catalog=' 'json' 'socket=' 'version' 'h/help'
        case 'launch'
            __promoctl_parse_subcommand 1 'json' 'socket=' 'version' 'h/help'
        case 'review'
            __promoctl_parse_subcommand 0 'version' 'h/help'
            switch $unparsed_tokens[1]
            case 'eligible'
                __promoctl_parse_subcommand 1 'catalog=' 'completed=' 'minimum=' 'page=' 'app-store-id=' 'json' 'socket=' 'version' 'h/help'
            case 'request'
                __promoctl_parse_subcommand 1 'catalog=' 'completed=' 'minimum=' 'page=' 'app-store-id=' 'open' 'json' 'socket=' 'version' 'h/help'
            case 'reset'
                __promoctl_parse_subcommand 1 'json' 'socket=' 'version' 'h/help'
            end
        case 'wait'
            __promoctl_parse_subcommand 0 'timeout=' 'catalog=' 'json' 'socket=' 'version' 'h/help'
        case 'check'
            __promoctl_parse_subcommand 0 'max-age=' 'catalog=' 'json' 'socket=' 'version' 'h/help'
        case 'metrics'
            __promoctl_parse_subcommand 0 'socket=' 'version' 'h/help'
        case 'setup'
            __promoctl_parse_subcommand 1 'ca-file=' 'proxy=' 'catalog=' 'remove' 'sample' 'force' 'json' 'socket=' 'version' 'h/help'
        case 'validate'
            __promoctl_parse_subcommand -r 1 'version' 'h/help'
        case 'refresh'
            __promoctl_parse_subcommand 0 'catalog=' 'json' 'socket=' 'version' 'h/help'
        case 'reload'
            __promoctl_parse_subcommand 0 'json' 'socket=' 'version' 'h/help'
        case 'clear'
            __promoctl_parse_subcommand 0 'y/yes' 'catalog=' 'json' 'socket=' 'version' 'h/help'
        case 'help'
            __promoctl_parse_subcommand -r 1 'version'
        end
    end
end

function __promoctl_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __promoctl_parse_subcommand -S -a positional_count
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

function __promoctl_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __promoctl_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__promoctl_tokens -p)
    if test -z "$(__promoctl_tokens -t)"
        set -l index (count (__promoctl_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens
end

complete -c 'promoctl' -f
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl" version' -l 'version' -d 'Show the version.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_positional "promoctl" -eq 1' -fa 'list' -d 'Show the apps that an app may promote, "More Apps".'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_positional "promoctl" -eq 1' -fa 'page' -d 'Write the apps that an app may promote as a web page.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_positional "promoctl" -eq 1' -fa 'status' -d 'Show problems, catalogs, addresses and the next refresh.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_positional "promoctl" -eq 1' -fa 'doctor' -d 'Find out why something fails, and what to do.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_positional "promoctl" -eq 1' -fa 'events' -d 'Print events as they happen, one per line.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_positional "promoctl" -eq 1' -fa 'tap' -d 'Report a tap on an app, and print where to go.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_positional "promoctl" -eq 1' -fa 'impression' -d 'Report that apps were seen; all of them or none.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_positional "promoctl" -eq 1' -fa 'launch' -d 'Record that an app was launched.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_positional "promoctl" -eq 1' -fa 'review' -d 'Ask for reviews of an app, but not too often.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_positional "promoctl" -eq 1' -fa 'wait' -d 'Wait until promod is running and serves a catalog.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_positional "promoctl" -eq 1' -fa 'check' -d 'Check that catalogs are fresh and nothing is broken.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_positional "promoctl" -eq 1' -fa 'metrics' -d 'Print metrics about promod for Prometheus.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_positional "promoctl" -eq 1' -fa 'setup' -d 'Give promod the address of a catalog.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_positional "promoctl" -eq 1' -fa 'validate' -d 'Check a catalog before it is published.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_positional "promoctl" -eq 1' -fa 'refresh' -d 'Fetch the catalog now, and print the outcome.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_positional "promoctl" -eq 1' -fa 'reload' -d 'Make promod read its configuration again.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_positional "promoctl" -eq 1' -fa 'clear' -d 'Clear a cached catalog, and have it fetched again.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_positional "promoctl" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl list" host' -l 'host' -d 'ID of the app showing the list.' -rfka ''
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl list" language' -l 'language' -d 'The language of the taglines, such as ko.' -rfka 'en ko ja'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl list" limit' -l 'limit' -d 'Show at most this many apps.' -rfka ''
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl list" unlaunched' -l 'unlaunched' -d 'Leave out the apps whose first launch is recorded.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl list" catalog' -l 'catalog' -d 'The catalog, by its name or address.' -rfka ''
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl list" json' -l 'json' -d 'Print the result of the protocol as one line of JSON.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl list" socket' -l 'socket' -d 'The path of promod\'s socket.' -rF
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl list" version' -l 'version' -d 'Show the version.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl list" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_positional "promoctl page" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'json\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl page" host' -l 'host' -d 'ID of the app showing the list.' -rfka ''
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl page" language' -l 'language' -d 'The language of the taglines, such as ko.' -rfka 'en ko ja'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl page" limit' -l 'limit' -d 'Show at most this many apps.' -rfka ''
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl page" unlaunched' -l 'unlaunched' -d 'Leave out the apps whose first launch is recorded.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl page" catalog' -l 'catalog' -d 'The catalog, by its name or address.' -rfka ''
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl page" output' -l 'output' -d 'Replace this file in one step, instead of printing the page.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'html\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl page" json' -l 'json' -d 'Print the result of the protocol as one line of JSON.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl page" socket' -l 'socket' -d 'The path of promod\'s socket.' -rF
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl page" version' -l 'version' -d 'Show the version.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl page" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl status" catalog' -l 'catalog' -d 'The catalog, by its name or address.' -rfka ''
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl status" json' -l 'json' -d 'Print the result of the protocol as one line of JSON.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl status" socket' -l 'socket' -d 'The path of promod\'s socket.' -rF
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl status" version' -l 'version' -d 'Show the version.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl status" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl doctor" v verbose' -l 'verbose' -s 'v' -d 'Also show what is good.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl doctor" json' -l 'json' -d 'Print the result of the protocol as one line of JSON.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl doctor" socket' -l 'socket' -d 'The path of promod\'s socket.' -rF
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl doctor" version' -l 'version' -d 'Show the version.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl doctor" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_positional "promoctl events" -ge 1' -fka 'impression tap catalog icons'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl events" host' -l 'host' -d 'ID of the app showing the list.' -rfka ''
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl events" since' -l 'since' -d 'Begin after the event with this number.' -rfka ''
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl events" catalog' -l 'catalog' -d 'The catalog, by its name or address.' -rfka ''
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl events" json' -l 'json' -d 'Print the result of the protocol as one line of JSON.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl events" socket' -l 'socket' -d 'The path of promod\'s socket.' -rF
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl events" version' -l 'version' -d 'Show the version.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl events" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl tap" host' -l 'host' -d 'ID of the app showing the list.' -rfka ''
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl tap" open' -l 'open' -d 'Open the page with xdg-open, or print its address if that fails.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl tap" catalog' -l 'catalog' -d 'The catalog, by its name or address.' -rfka ''
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl tap" json' -l 'json' -d 'Print the result of the protocol as one line of JSON.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl tap" socket' -l 'socket' -d 'The path of promod\'s socket.' -rF
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl tap" version' -l 'version' -d 'Show the version.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl tap" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl impression" host' -l 'host' -d 'ID of the app showing the list.' -rfka ''
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl impression" catalog' -l 'catalog' -d 'The catalog, by its name or address.' -rfka ''
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl impression" json' -l 'json' -d 'Print the result of the protocol as one line of JSON.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl impression" socket' -l 'socket' -d 'The path of promod\'s socket.' -rF
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl impression" version' -l 'version' -d 'Show the version.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl impression" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl launch" json' -l 'json' -d 'Print the result of the protocol as one line of JSON.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl launch" socket' -l 'socket' -d 'The path of promod\'s socket.' -rF
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl launch" version' -l 'version' -d 'Show the version.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl launch" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl review" version' -l 'version' -d 'Show the version.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl review" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_positional "promoctl review" -eq 1' -fa 'eligible' -d 'Check whether an app may ask for a review now; this changes nothing.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_positional "promoctl review" -eq 1' -fa 'request' -d 'Request a review, and record the request if it is granted.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_positional "promoctl review" -eq 1' -fa 'reset' -d 'Forget the first launch and the review requests of an app.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl review eligible" catalog' -l 'catalog' -d 'The catalog, by its name or address.' -rfka ''
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl review eligible" completed' -l 'completed' -d 'Successes so far, such as finished workouts.' -rfka ''
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl review eligible" minimum' -l 'minimum' -d 'Successes that are enough, if not the configured number.' -rfka ''
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl review eligible" page' -l 'page' -d 'The page on which to write the review, if not the catalog\'s.' -rfka ''
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl review eligible" app-store-id' -l 'app-store-id' -d 'The app\'s number in the App Store, for a page there.' -rfka ''
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl review eligible" json' -l 'json' -d 'Print the result of the protocol as one line of JSON.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl review eligible" socket' -l 'socket' -d 'The path of promod\'s socket.' -rF
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl review eligible" version' -l 'version' -d 'Show the version.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl review eligible" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl review request" catalog' -l 'catalog' -d 'The catalog, by its name or address.' -rfka ''
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl review request" completed' -l 'completed' -d 'Successes so far, such as finished workouts.' -rfka ''
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl review request" minimum' -l 'minimum' -d 'Successes that are enough, if not the configured number.' -rfka ''
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl review request" page' -l 'page' -d 'The page on which to write the review, if not the catalog\'s.' -rfka ''
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl review request" app-store-id' -l 'app-store-id' -d 'The app\'s number in the App Store, for a page there.' -rfka ''
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl review request" open' -l 'open' -d 'Open the page with xdg-open.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl review request" json' -l 'json' -d 'Print the result of the protocol as one line of JSON.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl review request" socket' -l 'socket' -d 'The path of promod\'s socket.' -rF
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl review request" version' -l 'version' -d 'Show the version.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl review request" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl review reset" json' -l 'json' -d 'Print the result of the protocol as one line of JSON.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl review reset" socket' -l 'socket' -d 'The path of promod\'s socket.' -rF
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl review reset" version' -l 'version' -d 'Show the version.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl review reset" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl wait" timeout' -l 'timeout' -d 'Maximum time to wait.' -rfka ''
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl wait" catalog' -l 'catalog' -d 'The catalog, by its name or address.' -rfka ''
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl wait" json' -l 'json' -d 'Print the result of the protocol as one line of JSON.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl wait" socket' -l 'socket' -d 'The path of promod\'s socket.' -rF
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl wait" version' -l 'version' -d 'Show the version.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl wait" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl check" max-age' -l 'max-age' -d 'Maximum age that counts as fresh, such as 90m or 2d.' -rfka ''
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl check" catalog' -l 'catalog' -d 'The catalog, by its name or address.' -rfka ''
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl check" json' -l 'json' -d 'Print the result of the protocol as one line of JSON.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl check" socket' -l 'socket' -d 'The path of promod\'s socket.' -rF
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl check" version' -l 'version' -d 'Show the version.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl check" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl metrics" socket' -l 'socket' -d 'The path of promod\'s socket.' -rF
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl metrics" version' -l 'version' -d 'Show the version.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl metrics" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl setup" ca-file' -l 'ca-file' -d 'A PEM file of additional certificates to trust.' -rF
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl setup" proxy' -l 'proxy' -d 'The proxy to fetch through, or "direct" for none.' -rfka ''
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl setup" catalog' -l 'catalog' -d 'The catalog\'s name, if it is not the default one.' -rfka ''
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl setup" remove' -l 'remove' -d 'Remove the drop-in.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl setup" sample' -l 'sample' -d 'Serve promod\'s sample, to look around.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl setup" force' -l 'force' -d 'Write the drop-in without a check of the catalog.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl setup" json' -l 'json' -d 'Print the result of the protocol as one line of JSON.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl setup" socket' -l 'socket' -d 'The path of promod\'s socket.' -rF
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl setup" version' -l 'version' -d 'Show the version.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl setup" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_positional "promoctl validate" -ge 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'json\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl validate" version' -l 'version' -d 'Show the version.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl validate" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl refresh" catalog' -l 'catalog' -d 'The catalog, by its name or address.' -rfka ''
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl refresh" json' -l 'json' -d 'Print the result of the protocol as one line of JSON.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl refresh" socket' -l 'socket' -d 'The path of promod\'s socket.' -rF
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl refresh" version' -l 'version' -d 'Show the version.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl refresh" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl reload" json' -l 'json' -d 'Print the result of the protocol as one line of JSON.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl reload" socket' -l 'socket' -d 'The path of promod\'s socket.' -rF
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl reload" version' -l 'version' -d 'Show the version.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl reload" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl clear" y yes' -l 'yes' -s 'y' -d 'Do not ask for confirmation.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl clear" catalog' -l 'catalog' -d 'The catalog, by its name or address.' -rfka ''
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl clear" json' -l 'json' -d 'Print the result of the protocol as one line of JSON.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl clear" socket' -l 'socket' -d 'The path of promod\'s socket.' -rF
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl clear" version' -l 'version' -d 'Show the version.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl clear" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'promoctl' -n '__promoctl_should_offer_completions_for_flags_or_options "promoctl help" version' -l 'version' -d 'Show the version.'
