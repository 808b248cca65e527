#!/bin/bash
# Lists the apps that HOST may promote, and reports that they were seen: bash more-apps.sh HOST (needs jq)
host=${1:?give the id of your app} socket=${PROMOD_SOCKET:-$XDG_RUNTIME_DIR/promod/promod.sock}
case $(type -P socat ncat nc | head -n 1) in
    */socat) ask() { socat -t 35 - "UNIX:$socket" 2>/dev/null; } ;;
    */ncat) ask() { timeout 35 ncat -U "$socket" 2>/dev/null; } ;;
    */nc) ask() { nc -w 35 -NU "$socket" 2>/dev/null; } ;;
    *) echo "This needs socat, ncat or nc." >&2; exit 1 ;;
esac

reply=$(ask <<<'{"method":"list","limit":100,"wait":true,"host":"'"$host"'",'\
'"language":"'"${LC_ALL:-${LC_MESSAGES:-$LANG}}"'"}')
[[ $reply == *"}" ]] || { echo "Apps cannot be shown right now." >&2; exit 1; }
jq -r 'if .error then "\(.error.message)\n" | halt_error(1) elif .result.apps != [] then
    .result.apps[] | "\(.name) (\(.category)): \(.tagline)" elif .result.canRetry then
    "Apps cannot be shown right now." else "There are no other apps to show." end' <<<"$reply" || exit 1
jq -c --arg host "$host" '{method: "impression", $host, apps: [.result.apps[].id]}' <<<"$reply" | ask >/dev/null
