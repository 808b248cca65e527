# The journals and the users of a machine.

check journal_restarts "after a restart of journald, promod's new records come with their fields, and the old ones are still there"
journal_restarts() {
    local records=(as_user journalctl --user --unit promod.service --no-pager --output=export PROMOD_EVENT=configuration-reloaded "_PID=$(main_pid)")
    manager reload promod.service
    soon '*PROMOD_EVENT=configuration-reloaded*' "${records[@]}"
    inside systemctl restart systemd-journald
    manager reload promod.service
    soon '*MESSAGE=*was read again*PROMOD_EVENT=configuration-reloaded*PROMOD_EVENT=configuration-reloaded*' "${records[@]}"
}

check environment_d "variables of environment.d reach promod, but move neither its cache nor its state"
environment_d() {
    trap 'as_user rm .config/environment.d/promod.conf; manager daemon-reload; manager restart promod.service' EXIT
    as_user sh -c 'mkdir -p .config/environment.d && printf "%s\n" "XDG_CACHE_HOME=$HOME/moved" "XDG_STATE_HOME=$HOME/moved" TZ=Asia/Seoul \
        >.config/environment.d/promod.conf'
    manager daemon-reload
    manager restart promod.service
    is "TZ=Asia/Seoul*XDG_CACHE_HOME=/home/$user/.cache*XDG_STATE_HOME=/home/$user/.local/state" \
        inside sh -c 'tr "\0" "\n" <"/proc/$1/environ" | grep "^XDG_[CS].*E_HOME\|^TZ=" | sort' sh "$(main_pid)"
    serves_apps
    is '*No such file*' as_user ls moved
}

check system_users "root has a promod and system users have none, unless drop-ins of the units change ConditionUser="
system_users() {
    local of=/etc/systemd/user each
    trap "inside loginctl disable-linger root; inside loginctl disable-linger robot; inside rm -r $of/promod.{socket,service}.d/users.conf" EXIT
    inside useradd --system --create-home robot
    for each in robot root; do inside loginctl enable-linger "$each"; done
    soon active of_root
    is inactive of_robot
    for each in socket service; do
        inside sh -c 'mkdir -p "$1" && printf "[Unit]\nConditionUser=\nConditionUser=!root\n" >"$1/users.conf"' sh "$of/promod.$each.d"
    done
    for each in robot root; do
        "$container" as "$name" "$each" sh -c 'systemctl --user daemon-reload; systemctl --user restart promod.socket promod.service'
    done
    is active of_robot
    is 'inactive *' of_root
}
of_root() { "$container" as "$name" root systemctl --user is-active promod.service; }
of_robot() { "$container" as "$name" robot systemctl --user is-active promod.service || true; }

check volatile_journal "of a journal in memory a user sees nothing, root and the group systemd-journal read promod's records, and status knows the last failure"
volatile_journal() {
    trap 'origin start; inside sh -c "gpasswd --delete $user systemd-journal; mv /var/log/journal.away /var/log/journal; systemctl restart systemd-journald; journalctl --flush"' EXIT
    inside mv /var/log/journal /var/log/journal.away
    inside systemctl restart systemd-journald
    origin stop
    soon 'failed connect' refresh
    is '*No journal files were *' as_user journalctl --user --unit promod --no-pager
    soon '*The refresh failed*' inside journalctl -t promod "_UID=$(inside id -u "$user")" --no-pager
    inside gpasswd --add "$user" systemd-journal
    is '*The refresh failed*' as_user journalctl -t promod --no-pager
    is '*Connection refused*' as_user promoctl status
}
