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

check unknown_option "with an unknown option the service is tried every 2 s, and the journal says why; without it the waiting query is answered"
unknown_option() {
    local override=.config/systemd/user/promod.service.d/option.conf
    trap "as_user rm -f $override; manager daemon-reload" EXIT
    as_user sh -c 'mkdir -p "${1%/*}" && printf "[Service]\nExecStart=\nExecStart=/usr/bin/promod --no-such-option\n" >"$1"' sh "$override"
    manager daemon-reload
    manager --quiet stop promod.service
    is '*failed*' manager restart promod.service
    is_tried_calmly 64
    is '*no-such-option*' as_user journalctl --user --unit promod --no-pager --output=cat --since=-20s
    revives as_user rm "$override"
}

is_tried_calmly() { # is_tried_calmly STATUS: few restarts, each ending with this status
    sleep 9
    is '[2-5]' property NRestarts
    is active manager is-active promod.socket
    soon "$1" property ExecMainStatus
}

revives() { # revives COMMAND...: a waiting query is answered after the command
    local answer; answer=$(mktemp)
    list >"$answer" &
    "$@"
    manager daemon-reload
    wait $!
    is '@(fresh|expired) origin bookary,finepomo' cat "$answer"
    rm "$answer"
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
