check frozen "a frozen user manager delays an upgrade and a removal only for seconds, and is reported with what to do"
frozen() {
    local pid begin=$SECONDS manager_pid; manager_pid=$(process_of "$user")
    trap "inside sh -c 'kill -CONT $manager_pid'" EXIT
    is 1 ask '{"method":"status"}' .protocol
    pid=$(main_pid)
    inside sh -c 'kill -STOP "$1"' sh "$manager_pid"
    is "*service manager of user $user does not answer*process $pid) still runs the old program*systemctl --user restart*" \
        apt_get install --reinstall /srv/promod.deb
    is "*service manager of user $user does not answer*process $pid) still runs the removed program*systemctl --user stop*" \
        apt_get remove promod
    ((SECONDS - begin < 45)) || { echo "that took $((SECONDS - begin)) s"; return 1; }
    is "*service manager of user $user does not answer*systemctl --user restart*" apt_get install /srv/promod.deb
    inside sh -c 'kill -CONT "$1"' sh "$manager_pid"
    as_user sh -c 'systemctl --user daemon-reload && systemctl --user restart promod.service'
    is "!($pid)" main_pid
    manager start promod.socket
    serves_apps
}

check removal "after a removal nothing of promod runs or is enabled; a purge says what is kept in home directories"
removal() {
    ask '{"method":"launch","app":"stedio"}' .recorded >/dev/null # so that there is a review history
    apt_get remove promod
    is $'inactive\ninactive*' manager is-active promod.service promod.socket
    is '' inside sh -c 'readlink /proc/[0-9]*/exe | grep promod || true'
    is '' inside sh -c 'find /etc/systemd /usr/lib/systemd /run/user/*/systemd -name "promod*" 2>/dev/null'
    is '*0 loaded units listed*' manager list-units --all --no-pager 'promod*'
    is '*.config/promod*.cache/promod*.local/state/promod*' apt_get purge promod
    is '' inside sh -c 'find /usr /etc /var/lib/systemd -name "*promod*" -not -path "/etc/promod-test*" -not -path "/etc/apt/*"'
    inside sh -euc "$(of_readme 'rm /etc/apt/.*')"
    is '' inside find /etc/apt -name 'promod*'
    is $'*catalogs*catalogs.d*reviews.json*' as_user ls .config/promod .cache/promod .local/state/promod
}
