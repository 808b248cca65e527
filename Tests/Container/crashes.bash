check killed "killed five times in a row, promod starts again after 2 s each time and answers the next query"
killed() {
    for _ in {1..5}; do
        is 1 ask '{"method":"status"}' .protocol
        inside sh -c 'kill -KILL "$1"' sh "$(main_pid)"
    done
    is 1 ask '{"method":"status"}' .protocol
    is $'active\nactive' manager is-active promod.service promod.socket
}

check watchdog "the watchdog ends a promod that hangs, and the next query is answered"
watchdog() {
    local pid override=.config/systemd/user/promod.service.d/watchdog.conf
    trap "as_user rm $override; manager daemon-reload; manager restart promod.service" EXIT
    as_user sh -c 'mkdir -p "${1%/*}" && printf "[Service]\nWatchdogSec=2s\n" >"$1"' sh "$override"
    manager daemon-reload
    manager restart promod.service
    pid=$(main_pid)
    inside sh -c 'kill -STOP "$1"' sh "$pid"
    # A stopped process does not die of SIGABRT, so it gets SIGKILL after TimeoutAbortSec=.
    patience=30 soon "*result 'watchdog'*" as_user journalctl --user --unit promod.service --no-pager --since=-1min
    soon 'fresh origin bookary,finepomo' list
    is "!($pid)" main_pid
}
