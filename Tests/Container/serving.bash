check activation "after a stop the socket stays, and the next query starts the service and is answered"
activation() {
    manager --quiet stop promod.service
    is 'inactive *' manager is-active promod.service
    is active manager is-active promod.socket
    # A RuntimeDirectory= in the service would have deleted it.
    as_user sh -c 'test -S "$XDG_RUNTIME_DIR/promod/promod.sock"' || { echo "no socket file"; return 1; }
    is 1 ask '{"method":"status"}' .protocol
    is active manager is-active promod.service
}

check ready "systemd shows the service as running and supervised, with the number of apps in the Status line"
ready() {
    is notify property Type
    is 'active running' sh -c 'echo $*' sh "$(property ActiveState)" "$(property SubState)"
    is 5min property WatchdogUSec
    soon '*Status:*5 apps*' status_text
}

check directory_tightened "the socket is the user's alone, and a directory of its that another program made for all to read is, too, as soon as the service runs"
directory_tightened() {
    local mode='stat --format=%a "$XDG_RUNTIME_DIR/promod" "$XDG_RUNTIME_DIR/promod/promod.sock"'
    manager --quiet stop promod.socket promod.service
    as_user sh -c 'rm -r "$XDG_RUNTIME_DIR/promod" && mkdir --mode=755 "$XDG_RUNTIME_DIR/promod"'
    manager --quiet start promod.socket
    # DirectoryMode= of the unit is only for a directory that systemd makes.
    is $'755\n600' as_user sh -c "$mode"
    is 1 ask '{"method":"status"}' .protocol
    is $'700\n600' as_user sh -c "$mode"
    is '*Other users had access to the directory */promod (mode 0755)*' \
        as_user journalctl --user --unit=promod.service --no-pager --output=cat PROMOD_EVENT=directory-tightened
}

check idle "an idle minute passes without a context switch"
idle() {
    # Restart promod, so that no watchdog ping falls into the minute.
    manager --quiet stop promod.service
    refreshes
    idles
}

idles() { # does the running promod let a minute pass without a context switch?
    local pid before after
    pid=$(main_pid)
    # Idle threads of Dispatch end after five seconds.
    patience=60 soon true rests "$pid"
    before=$(switches "$pid")
    sleep 60
    after=$(switches "$pid")
    [[ $before == "$after" ]] || { echo "thread, name, voluntary, involuntary:"; diff <(echo "$before") <(echo "$after") | grep '^[<>]'; return 1; }
    is "$pid" main_pid
}

rests() { # has the process let six seconds pass without a context switch?
    local seen; seen=$(switches "$1")
    sleep 6
    [[ $seen == "$(switches "$1")" ]] && echo true
}

switches() {
    inside sh -euc 'for task in "/proc/$1/task"/*; do
        echo "${task##*/}" "$(cat "$task/comm")" $(sed -n "s/.*ctxt_switches:\t//p" "$task/status")
    done' switches "$1"
}
