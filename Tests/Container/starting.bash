check stops "after 100 stops during a client's queries the socket is still active, and no query is lost"
stops() {
    trap enough EXIT
    keep_asking
    as_user bash -euc 'for i in {1..100}; do
        promoctl status >/dev/null
        systemctl --user --quiet stop promod.service 2>/dev/null
    done' || true # the start for the next query may cancel a stop
    every_query_was_answered
    is active manager is-active promod.socket
    serves_apps
}

check reboot "after a reboot the service starts by itself and serves the cached catalog"
reboot() {
    trap 'inside systemctl enable --now --quiet nginx' EXIT
    manager start promod.service
    refreshes
    origin disable
    "$container" restart "$name"
    soon active manager is-active promod.service
    is '@(fresh|expired) origin bookary,finepomo' list
}
