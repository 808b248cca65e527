#!/bin/bash
# Lists the apps that HOST may promote, after each change again: bash more-apps-follow.sh HOST. An app's id taps it.
host=${1:?give the id of your app} socket=${PROMOD_SOCKET:-$XDG_RUNTIME_DIR/promod/promod.sock}
language=${LC_ALL:-${LC_MESSAGES:-$LANG}}
case $(type -P socat ncat nc | head -n 1) in
    */socat) once=(socat -t 5 - "UNIX:$socket") stay=(socat -t 1000000000 - "UNIX:$socket,shut-none") ;;
    */ncat) once=(timeout 5 ncat -U "$socket") stay=(ncat --no-shutdown -U "$socket") ;;
    */nc) once=(nc -w 5 -NU "$socket") stay=(nc -U "$socket") ;;
    *) echo "This needs socat, ncat or nc." >&2; exit 1 ;;
esac
ask() { "${once[@]}" <<<"{\"host\":\"$host\",$1}" 2>/dev/null || echo "Apps cannot be shown right now." >&2; }

show() {
    reply=$(ask '"method":"list","limit":100,"language":"'"$language"'"')
    jq -r '.error.message // (.result.apps[] | "\(.id): \(.name) (\(.category)), \(.tagline)")
        // "There are no other apps to show."' <<<"$reply"
    ask "\"method\":\"impression\",\"apps\":$(jq -c '[.result.apps[]?.id]' <<<"$reply")" >/dev/null
}

follow() { # shows the list when promod has answered the subscription, and after each event
    while true; do
        "${stay[@]}" <<<'{"method":"subscribe","events":["catalog"]}' 2>/dev/null | while read -r _; do show; done
        echo "Apps cannot be shown right now. The list comes back when it can."
        until sleep $((RANDOM % 4 + 1)) && "${once[@]}" </dev/null >/dev/null 2>&1; do :; done
    done
}

set -m; follow & trap 'kill -- -$!' EXIT # The follower is a group of processes, which ends with this one.
while read -r app; do
    ask '"method":"tap","app":"'"$app"'","language":"'"$language"'"' |
        jq -r '.error.message // .result.message // "Open \(.result.storeURL)"'
done
