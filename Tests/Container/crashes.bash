end_orderly() { # resets the count of crashes
    is 1 ask '{"method":"status"}' .protocol
    manager --quiet stop promod.service
}

check killed_starting "killed 60 times during its start, promod still has its socket, and answers the next query"
killed_starting() {
    is 1 ask '{"method":"status"}' .protocol # so that the file "running" exists, which shows that it ran
    as_user bash -euc 'for ((killed = 0; killed < 60; )); do
        pid=$(systemctl --user show --property=MainPID --value promod.service)
        if ((pid > 0)) && kill -KILL "$pid" 2>/dev/null; then killed=$((killed + 1)); else sleep 0.02; fi
    done'
    is active manager is-active promod.socket
    manager --quiet stop promod.service # an orderly end during the pause that so many crashes cause
    serves_apps
}

check killed "killed nine times, promod runs again, waits before it serves, and logs that"
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

check crash_trace "with the system call filter, a crash leaves a trace with function names in the journal, and loses no query"
crash_trace() {
    for _ in 1 2 3; do # Swift's backtracer does not print a trace of every crash
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
    is 1 ask '{"method":"status"}' .protocol # promod crashes on this query, and the next process answers it
    is "!($pid)" main_pid
}
traced() { # the trace names the function that crashed and a Swift function that called it
    patience=20 soon $'*Program crashed: Illegal instruction*" crashed:\n*+ * in promod\n*(*) + * in promod\n*' \
        as_user journalctl --user --unit promod --no-pager --output=cat --priority=err --since=-1min
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
    soon 'loaded origin bookary,finepomo' list
    is "!($pid)" main_pid
}
