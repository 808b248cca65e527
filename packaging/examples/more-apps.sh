#!/bin/bash
# Lists the apps that HOST may promote, again whenever they change, and says which were tapped: bash more-apps.sh [HOST]
# Type the id of an app to tap it. Needs the Debian packages jq and netcat-openbsd.
host=${1-} runtime=${XDG_RUNTIME_DIR-} columns=$(tput cols 2>/dev/null || echo 80)
[[ $runtime == /* ]] || runtime=/run/user/$UID
socket=${PROMOD_SOCKET:-$runtime/promod/promod.sock}

request() { # request METHOD PARAMETERS: prints a request, which has the method as its id
    jq --null-input --compact-output --arg method "$1" --argjson params "$2" --arg host "$host" \
        '{jsonrpc: "2.0", id: $method, $method, params: ($params + if $host == "" then {} else {$host} end)}'
}

read_reply() { # prints what a line from promod is: its kind, number and epoch, then what to show of it
    # A catalog may have any text. It is shown on one line, without control characters and what changes the direction, and no wider
    # than the terminal.
    jq --raw-output --argjson columns "$columns" '
        def width: if . > 4351 and . < 4448 or . > 11903 and . < 55204 or . > 63743 and . < 64256 or . > 65279 and . < 65377
            or . > 127743 then 2 else 1 end;
        def shown: gsub("\\s+"; " ") | gsub("[\\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"; "")
            | reduce explode[] as $character ({width: 0, text: []};
                .width += ($character | width) | if .width < $columns then .text += [$character] else . end)
            | (.text | implode) + if .width < $columns then "" else "…" end;
        if .error then "refused", (.error.message | shown)
        elif .id == "subscribe" then .result | "subscribed \(.since) \(.epoch)"
        elif .id == "list" then .result | "list", (.apps[] | "\(.id): \(.name) - \(.tagline)" | shown),
            if .apps == [] then "There are no apps to show." elif .source == "sample" then "These apps are made up." else empty end
        elif .id == "tap" then "tap", "Open \(.result.storeURL)", (.result.message // empty)
        else .params | "\(.event) \(.seq)", if .event == "tap" then "\(.app) was tapped." else empty end end'
}

follow() {
    local since='' epoch='' pause=0 last='' useful nc line lines kind number of reason wait
    trap 'kill "$nc" 2>/dev/null' EXIT
    while true; do
        reason="promod cannot be reached at $socket." useful=
        # nc reads requests from a pipe that this shell holds open, because a subscriber must not close its side.
        exec 3<> <(:)
        request subscribe "{\"events\": [\"catalog\", \"tap\"] ${epoch:+, \"since\": $since, \"epoch\": \"$epoch\"}}" >&3
        exec 4< <(exec nc -U "$socket" <&3 2>/dev/null)
        nc=$! limit=(-t 5) # A reply takes seconds at most, an event perhaps days.
        while read -r "${limit[@]}" line <&4; do
            mapfile -t lines < <(read_reply <<<"$line")
            read -r kind number of <<<"${lines[0]}"
            case $kind in
            refused)
                reason=${lines[1]}
                break
                ;;
            subscribed)
                since=$number epoch=$of useful=$SECONDS reason="promod has ended the connection."
                request list '{}' >&3 # It may have changed before.
                ;;
            list)
                limit=()
                [[ ${lines[*]} == "$last" ]] || printf '%s\n' "${lines[@]:1}"
                last=${lines[*]}
                ;;
            *)
                since=$number
                ((${#lines[@]} < 2)) || echo "${lines[1]}"
                if [[ $kind == catalog ]]; then limit=(-t 5) && request list '{}' >&3; fi
                ;;
            esac
        done
        kill "$nc" 2>/dev/null
        # The pause grows unless the connection lasted, and is random, because other clients have lost theirs at the same moment.
        ((useful && SECONDS - useful > 5)) && pause=0
        pause=$((pause == 0 ? 100 : pause < 2500 ? 2 * pause : 5000)) wait=$((pause / 2 + RANDOM % (pause / 2)))
        wait=$((wait / 1000)).$(printf %03d $((wait % 1000)))
        echo "$reason Trying again in $wait s."
        sleep "$wait"
    done
}

follow &
follower=$!
trap 'kill "$follower"' EXIT
while read -r app; do
    parameters=$(jq --null-input --compact-output --arg app "$app" '{$app}')
    reply=$(request tap "$parameters" | nc -w 5 -NU "$socket" 2>/dev/null | read_reply) || reply=
    echo "${reply:-promod cannot be reached}" | tail -n +2
done
wait "$follower"
