end_orderly() { # after which crashes are counted from zero
    is 1 ask '{"method":"status"}' .protocol
    manager --quiet stop promod.service
}

check killed_starting "after 60 kills while it starts the socket is there, and the next query is answered"
killed_starting() {
    is 1 ask '{"method":"status"}' .protocol # so that it has left its mark, which shows that it ran
    as_user bash -euc 'for ((killed = 0; killed < 60; )); do
        pid=$(systemctl --user show --property=MainPID --value promod.service)
        if ((pid > 0)) && kill -KILL "$pid" 2>/dev/null; then killed=$((killed + 1)); else sleep 0.02; fi
    done'
    is active manager is-active promod.socket
    manager --quiet stop promod.service # an orderly end, before the pause after that many crashes is over
    serves_apps
}

check killed "killed nine times it is there again, waits before it serves, and says so"
killed() {
    end_orderly
    for _ in {1..9}; do
        is 1 ask '{"method":"status"}' .protocol
        inside sh -c 'kill -KILL "$1"' sh "$(main_pid)"
    done
    is 1 ask '{"method":"status"}' .protocol
    is active manager is-active promod.service
    soon '*9 times in a row*serves again in 6400ms*Subject: promod *number*9*6400ms*' \
        as_user journalctl --user --unit promod --catalog --no-pager --since=-2min PROMOD_EVENT=ended-unexpectedly
    end_orderly
}

check crash_trace "a crash leaves a trace with names of functions in the journal, under the filter of system calls, and loses no query"
crash_trace() {
    for _ in 1 2 3; do # Swift's runtime starts no backtracer in about one crash of ten
        crash
        if traced; then break; fi
    done
    traced
    end_orderly
}
crash() {
    local pid
    is 1 ask '{"method":"status"}' .protocol
    pid=$(main_pid)
    inside perl - "$pid" <"$root/Tests/Container/crash.pl"
    is 1 ask '{"method":"status"}' .protocol # the query that made it crash, from the process that came next
    is "!($pid)" main_pid
}
traced() { # with the name of the function that crashed, and of a Swift function that called it
    patience=5 soon $'*Program crashed: Illegal instruction*" crashed:\n*+ * in promod\n*(*) + * in promod\n*' \
        as_user journalctl --user --unit promod --no-pager --output=cat --priority=err --since=-1min
}

check watchdog "a promod that hangs is ended by the watchdog, and the next query is answered"
watchdog() {
    local pid override=.config/systemd/user/promod.service.d/watchdog.conf
    trap "as_user rm $override; manager daemon-reload; manager restart promod.service" EXIT
    as_user sh -c 'mkdir -p "${1%/*}" && printf "[Service]\nWatchdogSec=2s\n" >"$1"' sh "$override"
    manager daemon-reload
    manager restart promod.service
    pid=$(main_pid)
    inside sh -c 'kill -STOP "$1"' sh "$pid"
    # Stopped, it cannot die of SIGABRT, and gets SIGKILL after TimeoutAbortSec=.
    patience=30 soon "*result 'watchdog'*" as_user journalctl --user --unit promod.service --no-pager --since=-1min
    soon 'loaded origin bookary,finepomo' list
    is "!($pid)" main_pid
}
