readonly removed="*Removing promod (+([! ])) ...$theirs" purged="*Purging configuration files for promod (+([! ])) ...$theirs"

check frozen "a frozen user manager delays an upgrade and a removal for half a minute each, and fails neither"
frozen() {
    local pid begin=$SECONDS manager_pid; manager_pid=$(process_of "$user")
    trap "inside sh -c 'kill -CONT $manager_pid'" EXIT
    is 1 ask '{"method":"status"}' .protocol
    pid=$(main_pid)
    inside sh -c 'kill -STOP "$1"' sh "$manager_pid"
    reinstall
    is "$removed" apt_get remove promod
    ((SECONDS - begin < 80)) || { echo "that took $((SECONDS - begin)) s"; return 1; }
    inside sh -c 'kill -CONT "$1"' sh "$manager_pid"
    is "$silently" apt_get install /srv/promod.deb
    as_user sh -c 'systemctl --user daemon-reload && systemctl --user restart promod.service'
    is "!($pid)" main_pid
    manager start promod.socket
    serves_apps
}

check removal "after a removal nothing of promod runs, and after a purge nothing is left but the files in home directories"
removal() {
    ask '{"method":"launch","app":"stedio"}' .recorded >/dev/null # so that there is a review history
    is "$removed" apt_get remove promod
    is $'inactive\ninactive*' manager is-active promod.service promod.socket
    is '' inside sh -c 'readlink /proc/[0-9]*/exe | grep promod || true'
    is "$purged" apt_get purge promod
    manager daemon-reload
    is '*0 loaded units listed*' manager list-units --all --no-pager 'promod*'
    is '' inside sh -c 'find /usr /etc /var/lib/systemd /run/user/*/systemd -name "*promod*" -not -path "/etc/promod-test*" -not -path "/etc/apt/*"'
    inside sh -euc "$(of_operators 'rm /etc/apt/.*')"
    is '' inside find /etc/apt -name 'promod*'
    is $'*catalogs*catalogs.d*reviews.json*' as_user ls .config/promod .cache/promod .local/state/promod
}
