fail_refresh() { # stops the origin until the check ends
    trap 'origin start' EXIT
    origin stop
    soon 'failed connect' refresh
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

check lost "if ~/.cache as a whole is removed, promod ends once, and the one that systemd starts then stores the catalog"
lost() {
    local pid; pid=$(main_pid)
    as_user rm -r .cache
    query '{"method":"status"}' >/dev/null || true # it looks at its directories, and ends
    soon "!(0|$pid)" main_pid
    refreshes
    is '' problems storage
    is '' problems directory
}
