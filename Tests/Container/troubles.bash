fail_refresh() { # stops the origin until the check ends
    trap 'origin start' EXIT
    origin stop
    soon 'failed connect' refresh
}

check origin_down "without the origin, list still works and a refresh fails with connect"
origin_down() {
    fail_refresh
    serves_apps
}

check explained "journalctl -x explains a failed refresh, with its kind and the time of the next"
explained() {
    fail_refresh
    soon '*Subject: The catalog could not be refreshed*The kind of failure is "connect"*at*20[0-9][0-9]-*promoctl status*' \
        as_user journalctl --user --unit promod --catalog --no-pager --since=-1min PROMOD_EVENT=refresh-failed
}

check network "without a network, list still works; when it comes back, promod refreshes by itself"
network() {
    trap 'inside systemctl start test-network' EXIT
    inside systemctl stop test-network
    soon 'failed connect' refresh
    is 'false' ask '{"method":"status"}' '.online | tojson'
    serves_apps
    local since; since=$(asked)
    inside systemctl start test-network
    # The new route ends the backoff, so promod fetches within seconds.
    soon "!($since)" asked
    soon null ask '{"method":"status"}' '.catalogs[0].lastError | tojson'
}
asked() { inside sh -c 'wc -l </var/log/nginx/catalog.log'; }

check full_disk "on a full disk, a new catalog is served from memory and status says so; with room again it is stored"
full_disk() {
    local cache=/home/$user/.cache/promod
    trap "manager --quiet stop promod.service; inside umount $cache || true; manager start promod.service" EXIT
    manager --quiet stop promod.service
    inside mount -t tmpfs -o "size=64k,mode=700,uid=$(inside id -u "$user"),gid=$(inside id -g "$user")" tmpfs "$cache"
    refreshes
    as_user sh -c 'cat /dev/zero >.cache/promod/fill 2>/dev/null || true'
    inside sh -c 'echo >>/srv/catalog/catalog.json'
    soon 'updated storage' refresh
    is '*served from memory*' problems storage
    serves_apps
    soon '*Subject: A file in the cache cannot be used or changed*df ~/.cache*' \
        as_user journalctl --user --unit promod --catalog --no-pager PROMOD_EVENT=catalog-not-stored
    as_user rm .cache/promod/fill
    soon '' unstored_by_refreshes
}
unstored_by_refreshes() { # within a second of the last attempt nothing is fetched
    refresh >/dev/null
    problems storage
}

check memory_limit "with too little memory for a large catalog, promod serves the last good one, and is not killed again and again"
memory_limit() {
    local manager since
    manager=user@$(inside id -u "$user").service
    # First the catalog: with memory, the large one would be accepted.
    trap "inside mv /srv/catalog/small.json /srv/catalog/catalog.json; '$container' limit $name $manager infinity; refreshes" EXIT
    manager restart promod.service # counts its restarts from 0
    refreshes
    since=$(asked)
    inside cp /srv/catalog/catalog.json /srv/catalog/small.json
    inside sh -c 'jq -c ".apps += [range(17000) | {id: \"large-\(.)\", name: \"Large \(.)\", appStoreID: \"\(6000000000 + .)\",
        iconURL: \"https://example.com/icons/\(.).png\", category: \"large\", tagline: {en: (\"little \" * 20)}}]" \
        /srv/catalog/small.json >/srv/catalog/catalog.json'
    "$container" limit "$name" "$manager" 14M
    sleep 1.1 # within a second of the last attempt nothing is fetched
    query '{"method":"refresh"}' >/dev/null || true # the kernel kills promod meanwhile, or the process that fetches
    soon '[1-9]* retry' ask '{"method":"status"}' '.catalogs[0] | "\(.failures) \(.nextReason)"'
    serves_apps
    # Its backoff is 5 s at least, and 1 min at most after the first time.
    sleep 15
    is '[0-3]' property NRestarts
    (($(asked) - since <= 4)) || { echo "$(asked) fetches after $since"; return 1; }
    serves_apps
}

check cleared_by_hand "if cache and state are removed while promod runs, the next catalog and launch are stored again"
cleared_by_hand() {
    as_user rm -r .cache/promod .local/state/promod
    is true ask '{"method":"launch","app":"littory"}' '.recorded | tojson'
    inside sh -c 'echo >>/srv/catalog/catalog.json'
    soon 'updated null' refresh
    is '' problems storage
}

check lost "if ~/.cache as a whole is removed, promod ends once, and the one that systemd starts then stores the catalog"
lost() {
    local pid; pid=$(main_pid)
    as_user rm -r .cache
    query '{"method":"status"}' >/dev/null || true # it looks at its directories, and ends
    soon "!(0|$pid)" main_pid
    soon '' unstored_by_refreshes
    is '' problems directory
    as_user test -s .cache/promod/names.json
}

check cache_denied "if ~/.cache belongs to root, promod starts and answers; when the user owns it again, promod stores the catalog"
cache_denied() {
    trap "inside chown $user: /home/$user/.cache; inside chmod 755 /home/$user/.cache" EXIT
    manager --quiet stop promod.service
    inside sh -c 'chown root: "$1"; chmod 700 "$1"' sh "/home/$user/.cache"
    is 1 ask '{"method":"status"}' .protocol
    is active manager is-active promod.service
    inside chown "$user:" "/home/$user/.cache"
    soon '' unstored_by_refreshes
}
