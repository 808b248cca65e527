check reload "systemctl reload succeeds and keeps the process"
reload() {
    local before; before=$(main_pid)
    manager reload promod.service
    is active manager is-active promod.service
    is "$before" main_pid
    serves_apps
}

check reload_sessions "the line of the operators' article has the promod of every session read its configuration again"
reload_sessions() {
    local line since
    line=$(sed -n 's/^    \(.*reload-or-restart promod; done\)$/\1/p' "$root/Sources/PromoDaemon/PromoDaemon.docc/ForOperators.md")
    begin_session_of_stranger
    since=$(inside date +%s.%N)
    is '' inside bash -euc "$line"
    is '*_UID=1000*_UID=1001*' inside sh -c 'journalctl --sync; journalctl --since=@'"$since"' PROMOD_EVENT=configuration-reloaded --output=export | grep "^_UID=" | sort'
}

check all_sessions "the lines of the operators' article check the promod of every session, and stop them all"
all_sessions() {
    local article=$root/Sources/PromoDaemon/PromoDaemon.docc/ForOperators.md
    trap 'manager start promod.socket promod.service; as_stranger systemctl --user start promod.socket promod.service' EXIT
    begin_session_of_stranger
    soon "*$user: OK: *$stranger: STALE: No catalog is configured.*" inside bash -euc "$(sed -n '/^    for socket in/,/^    done$/p' "$article")"
    is '' inside bash -euc "$(sed -n 's/^    \(for .* stop promod.socket promod.service; done\)$/\1/p' "$article")"
    is 'inactive*' manager is-active promod.socket promod.service
    is 'inactive*inactive*' as_stranger systemctl --user is-active promod.socket promod.service
}

readonly bad_key=no-such-key

reload_good() {
    configure
    manager reload promod.service
}

check reload_broken "after a reload with a broken configuration, list still works, and status and the Status line name the key until it is fixed"
reload_broken() {
    trap reload_good EXIT
    configure "$bad_key"
    manager reload promod.service 2>/dev/null || true # systemctl may report the error or not
    soon "*$bad_key*" problems configuration
    soon "*Status:*$bad_key*" status_text
    serves_apps
    is active manager is-active promod.service
    reload_good
    soon '' problems configuration
    soon '*Status:*5 apps*' status_text
}
