#!/bin/bash
# Lists the apps that HOST may promote, and reports that they were seen: bash more-apps.sh HOST (needs jq and nc)
host=${1:?give the id of your app}
ask() { nc -w 5 -NU "${PROMOD_SOCKET:-$XDG_RUNTIME_DIR/promod/promod.sock}" 2>/dev/null; }

reply=$(ask <<<'{"method":"list","limit":100,"host":"'"$host"'","language":"'"$LANG"'"}')
[[ $reply == *"}" ]] || { echo "More apps cannot be shown, because promod does not answer." >&2; exit 1; }
jq -r '.error.message // (.result.apps[] | "\(.name) (\(.category)): \(.tagline)")
    // "There are no other apps to show."' <<<"$reply"
jq -c --arg host "$host" '{method: "impression", $host, apps: [.result.apps[]?.id]}' <<<"$reply" | ask >/dev/null
