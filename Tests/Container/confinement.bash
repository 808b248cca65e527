check confined "inside the sandbox no privilege can be gained, no namespace made, no program started through D-Bus or systemd, and nothing on disk but cache and state written"
confined() {
    local probe=.config/systemd/user/probe.service
    trap "as_user rm -f $probe probe.pl; manager daemon-reload" EXIT
    as_user sh -c 'mkdir -p "${1%/*}"; sed -e "/^\(ExecReload\|Restart\|Watchdog\|Wants\|SyslogLevel\)/d" \
        -e "s/^Type=.*/Type=oneshot/" -e "s,^ExecStart=.*,ExecStart=/usr/bin/perl %h/probe.pl," \
        /usr/lib/systemd/user/promod.service >"$1"; cat >probe.pl' sh "$probe" <"$root/Tests/Container/probe.pl"
    inside touch /tmp/of-somebody-else
    manager daemon-reload
    manager start probe.service
    local seen; seen=$(as_user cat .cache/promod/probe)
    as_user rm .cache/promod/probe
    is '' diff <(cut -f 1 <<<"$seen") "$root/Tests/Container/probe.expected"
    is $'*home: no\tRead-only file system*' echo "$seen"
    is $'*vsock: no\tAddress family not supported*' echo "$seen"
    is 1 ask '{"method":"status"}' .protocol
    is $'NoNewPrivs:\t1*Seccomp:\t2' inside grep -E '^(NoNewPrivs|Seccomp):' "/proc/$(main_pid)/status"
    is $'CapBnd:\t0000000000000000' inside grep -E '^CapBnd:' "/proc/$(main_pid)/status"
}

check verified "systemd-analyze finds nothing wrong with the units"
verified() { is '' as_user systemd-analyze --user --man=no verify promod.service promod.socket; } # a minimal Debian has no man

check score "systemd-analyze rates the service's exposure at 2.5 or lower"
score() {
    local line; line=$(as_user systemd-analyze --user security promod.service --no-pager | tail -n 1)
    is '*Overall exposure level for promod.service: @([01].[0-9]|2.[0-5]) OK*' echo "$line"
}

check quiet "the unit, a start, a refresh and a reload leave no warning in the journal"
quiet() {
    local before; before=$(warnings)
    manager daemon-reload # reports what systemd does not understand in the unit
    manager restart promod.service
    refreshes
    manager reload promod.service
    soon '*was read again*' as_user journalctl --user --no-pager --output=cat PROMOD_EVENT=configuration-reloaded "_PID=$(main_pid)"
    is '' diff <(echo "$before") <(warnings)
}
warnings() { as_user journalctl --user --unit promod.service --no-pager --quiet --priority=warning; }

check no_namespaces "if users get no namespaces, the service runs, and logs that once per start"
no_namespaces() {
    local drop_in=/etc/systemd/system/user@.service.d/no-namespaces.conf
    trap "inside rm $drop_in; inside systemctl daemon-reload; inside systemctl restart user@$(inside id -u "$user")" EXIT
    inside sh -c 'mkdir -p "${1%/*}" && printf "[Service]\nRestrictNamespaces=~user\n" >"$1"' sh "$drop_in"
    inside systemctl daemon-reload
    inside systemctl restart "user@$(inside id -u "$user")"
    soon active manager is-active promod.service
    serves_apps
    refreshes
    is 1 as_user sh -c 'journalctl --user --no-pager --output=cat PROMOD_EVENT=unconfined "_PID=$1" | wc -l' sh "$(main_pid)"
    is $'NoNewPrivs:\t1*Seccomp:\t2' inside grep -E '^(NoNewPrivs|Seccomp):' "/proc/$(main_pid)/status"
}
