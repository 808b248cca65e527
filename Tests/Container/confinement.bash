check confined "inside the sandbox no privilege can be gained, no program started outside, no process signalled, no secret read, and nothing but cache, state and socket directory written"
confined() {
    local probe=.config/systemd/user/probe.service
    trap "as_user rm -rf $probe probe.pl .ssh .gnupg .local/share/keyrings; manager daemon-reload" EXIT
    as_user sh -c 'mkdir -p .ssh .gnupg .local/share/keyrings; for secret in .ssh/id .gnupg/key .local/share/keyrings/login; do echo >$secret; done'
    as_user sh -c 'mkdir -p "${1%/*}"; sed -e "/^\(ExecReload\|Restart\|Watchdog\|Wants\|After\|SyslogLevel\)/d" \
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

check processes_hidden "promod cannot inspect other processes"
processes_hidden() {
    trap 'as_user rm -f .config/promod/config.toml; configure; manager reload promod.service' EXIT
    begin_session_of_stranger
    local pid own; own=$(as_user sh -c 'sleep 60 >/dev/null 2>&1 & echo $!')
    as_user head -c 0 "/proc/$own/root/etc/passwd" # any other process of the user's can
    inside perl -e 'exit(syscall(444, 0, 0, 1) < 1)' || own=1 # without Landlock in the kernel, promod can too
    for pid in 1 "$(process_of "$stranger")" "$own"; do
        as_user ln -sf "/proc/$pid/root/etc/passwd" .config/promod/config.toml
        manager reload promod.service 2>/dev/null || true
        soon '*Permission denied*' configuration_error
    done
    as_user ln -sf /proc/self/root/etc/passwd .config/promod/config.toml
    manager reload promod.service 2>/dev/null || true
    soon '!(null|*Permission denied*)' configuration_error # through its own /proc entry it can be read, but is no configuration
}

check verified "systemd-analyze finds nothing wrong with the units"
verified() { is '' as_user systemd-analyze --user --man=no verify promod.service promod.socket; } # a minimal Debian has no man

check score "systemd-analyze rates the service's exposure at 1.7 or lower"
score() {
    local line; line=$(as_user systemd-analyze --user security promod.service --no-pager | tail -n 1)
    is '*Overall exposure level for promod.service: @(0.[0-9]|1.[0-7]) OK*' echo "$line"
}

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
