# The ways into a user's account. In each, doctor has to tell the same truth.

stranded() { # as docker exec starts a program: without a session, and with hardly a variable
    inside setpriv --reuid="$1" --regid="$1" --init-groups env -i PATH=/usr/bin:/bin "${@:2}"
}

check shells "doctor finds nothing wrong under su, sudo, runuser, ssh, cron, and as docker exec starts it"
shells() {
    local good='*Nothing is wrong.*promod answers at /run/user/*/promod/promod.sock*default: * apps of *'
    local -a doctor=(promoctl doctor --verbose)
    trap 'as_user sh -c "crontab -r; rm -rf cron.out .ssh"' EXIT
    echo "* * * * * { ${doctor[*]}; echo \"exit code \$?\"; } >cron.out 2>&1" | as_user crontab -
    as_user sh -c 'mkdir -m 700 .ssh && ssh-keygen -q -t ed25519 -N "" -f .ssh/id_ed25519 && cp .ssh/id_ed25519.pub .ssh/authorized_keys'
    is "$good" inside su "$user" -c "${doctor[*]}"
    is "$good" inside su - "$user" -c "${doctor[*]}"
    is "$good" inside sudo -u "$user" "${doctor[@]}"
    is "$good" inside sudo -i -u "$user" "${doctor[@]}"
    is "$good" inside runuser -u "$user" -- "${doctor[@]}"
    is "$good" stranded "$user" "${doctor[@]}"
    is "$good" as_user ssh -o StrictHostKeyChecking=no -o LogLevel=ERROR localhost "${doctor[@]}"
    patience=75 soon "$good"$'\n''exit code 0' as_user cat cron.out
}

check wrong_shells "doctor names the right socket under another user's XDG_RUNTIME_DIR, and who has to log in without a session"
wrong_shells() {
    local elsewhere='This shell looks for promod at /run/user/0/promod/promod.sock (XDG_RUNTIME_DIR), but promod listens at /run/user/*/promod/promod.sock.*export PROMOD_SOCKET=/run/user/*/promod/promod.sock (exit code 1)'
    # Root need not have a session.
    inside mkdir -p -m 700 /run/user/0
    is "*$elsewhere" inside env XDG_RUNTIME_DIR=/run/user/0 runuser -u "$user" -- promoctl doctor
    is "*$elsewhere" inside env XDG_RUNTIME_DIR=/run/user/0 sudo --preserve-env=XDG_RUNTIME_DIR -u "$user" promoctl doctor
    is "*$elsewhere" stranded "$user" env XDG_RUNTIME_DIR=/run/user/0 promoctl doctor
    inside loginctl disable-linger "$stranger" || true
    soon '*' eval '! inside test -e "/run/user/$(inside id -u "$stranger")"'
    is "*$stranger has no session*loginctl enable-linger $stranger* (exit code 1)" stranded "$stranger" promoctl doctor
}

check unit_troubles "doctor says that the units are masked, or that promod fails again and again, and why"
unit_troubles() {
    trap 'as_user rm -rf .config/systemd/user/promod.service.d; manager unmask promod.socket promod.service; manager daemon-reload
        manager reset-failed; manager restart promod.socket promod.service' EXIT
    manager mask --now promod.socket promod.service
    is '*promod.socket is masked.*systemctl --user unmask promod.socket* (exit code 1)' stranded "$user" promoctl doctor
    manager unmask promod.socket promod.service
    as_user sh -c 'mkdir -p .config/systemd/user/promod.service.d &&
        printf "[Service]\nExecStart=\nExecStart=/bin/false\n" >.config/systemd/user/promod.service.d/fails.conf'
    manager daemon-reload
    manager start --no-block promod.service
    soon '*promod.service is activating, after [1-9]* restart*: exit-code.*journalctl --user -u promod.service* (exit code 1)' \
        stranded "$user" promoctl doctor
}
