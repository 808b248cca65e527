# Nothing is printed but by dpkg and debhelper.
readonly theirs=$'*([[:space:]]|Created symlink +([!\r\n])|Processing triggers for +([!\r\n]))'
readonly silently="*Setting up promod (+([! ])) ...$theirs"

stage install "the operators' apt lines install the package from the repository, silently, and the service starts at once in the user's manager"
install() {
    inside sh -c 'echo "APT::Get::Assume-Yes \"true\";" >/etc/apt/apt.conf.d/yes'
    is "$silently" inside env DEBIAN_FRONTEND=noninteractive sh -euc "$(of_operators 'apt update\|apt install promod')"
    is 'install ok installed' inside dpkg-query --show --showformat='${Status}' promod
    is '' inside dpkg --audit
    soon active manager is-active promod.service
    is active manager is-active promod.socket
    is $'enabled\nenabled' manager is-enabled promod.service promod.socket
    is '' inside sh -c 'ldd /usr/bin/promod /usr/bin/promoctl | grep "not found" || true'
    is '' inside sh -c 'head -c 0 /usr/share/doc/promod/examples/config.toml /usr/share/doc/promod/examples/catalog.json \
        /usr/share/doc/promod/examples/nginx.conf /usr/share/promod/catalog-schema.json \
        /usr/share/man/man5/promod-catalog.5.gz /usr/share/doc/promod/copyright /usr/share/doc/promod/changelog.gz /usr/share/bash-completion/completions/promoctl \
        /usr/share/zsh/vendor-completions/_promoctl /usr/share/fish/vendor_completions.d/promoctl.fish 2>&1 >/dev/null'
}

check unconfigured "before a setup, there is no catalog, and the journal says how to set one"
unconfigured() {
    soon 'empty none ' list
    is '*promoctl setup https://*' as_user journalctl --user --unit promod --no-pager --catalog
}

stage set_up "promoctl setup gives promod the origin's catalog"
set_up() {
    is "*Wrote /home/$user/.config/promod/catalogs.d/default.toml*Bookary*" \
        as_user promoctl setup "$url" --ca-file /etc/promod-test/ca.pem
    is '*XDG_CONFIG_HOME differs*' as_user env XDG_CONFIG_HOME="/home/$user/elsewhere" promoctl setup "$url" --ca-file /etc/promod-test/ca.pem
    soon 'fresh origin bookary,finepomo' list
}

check doctor "promoctl doctor finds nothing wrong, units included, and says what is wrong if the origin is down"
doctor() {
    is '*Nothing is wrong.*promod answers at *promod.socket is active*promod.service is active*default: 5 apps of *' \
        as_user promoctl doctor --verbose
    origin stop
    trap 'origin start' EXIT
    soon '*default: *Connection refused*' eval '! as_user promoctl doctor'
}

stage upgrade "an upgrade restarts the running promod, loses no query of many, and keeps the cache"
upgrade() {
    local before generation
    trap 'enough; origin start' EXIT
    before=$(main_pid)
    generation=$(ask '{"method":"status"}' '.catalogs[0].generation')
    publish_next
    apt_get update
    apt_get --download-only upgrade
    origin stop # so that what is served afterwards is the cache
    keep_asking
    is "$silently" apt_get upgrade
    every_query_was_answered
    is "$version" installed_version
    is active manager is-active promod.service
    is "!($before)" main_pid
    is "$generation" ask '{"method":"status"}' '.catalogs[0].generation'
    is '@(fresh|expired) origin bookary,finepomo' list
}

check downgrade "apt goes back to the previous release, loses no query and no catalog, and stays there while the package is held"
downgrade() {
    trap 'enough; inside apt-mark unhold promod; apt_get upgrade' EXIT
    keep_asking
    apt_get install --allow-downgrades "promod=$version~previous"
    every_query_was_answered
    serves_apps
    inside apt-mark hold promod
    apt_get upgrade
    is "$version~previous" installed_version
    inside apt-mark unhold promod
    apt_get upgrade
    is "$version" installed_version
}

reinstall() { is "$silently" apt_get install --reinstall /srv/promod.deb; } # which dpkg does as it does an upgrade
both() { manager "$1" promod.service promod.socket; }

check stopped_stays "an upgrade starts nothing that is masked or disabled, but restarts what runs although it is disabled"
stopped_stays() {
    local before
    trap 'inside systemctl --global --quiet enable promod.service promod.socket; both unmask; both start' EXIT
    both mask
    both stop
    reinstall
    is $'inactive\ninactive*' both is-active
    both unmask
    inside systemctl --global --quiet disable promod.service promod.socket
    reinstall
    is $'inactive\ninactive*' both is-active
    is $'disabled\ndisabled*' both is-enabled
    both start
    before=$(main_pid)
    reinstall
    is $'active\nactive' both is-active
    is "!($before)" main_pid
}

check turned_off "a preset keeps promod out of a new installation"
turned_off() {
    local preset=/etc/systemd/user-preset/50-promod.preset
    trap "inside rm -f $preset; inside systemctl --global --quiet enable promod.service promod.socket; both start" EXIT
    apt_get purge promod
    inside sh -c 'mkdir -p "${1%/*}"; echo "disable promod.*" >"$1"' sh "$preset"
    apt_get install /srv/promod.deb
    reinstall
    is $'disabled\ndisabled*' both is-enabled
    is $'inactive\ninactive*' both is-active
}

check administered "the drop-ins that promod(8) shows limit the service and move its files"
administered() {
    local drop_ins=/etc/systemd/user/promod.service.d
    begin_session_of_stranger
    trap "inside rm -r $drop_ins /srv/promod; manager daemon-reload; manager restart promod.service; refreshes
        as_stranger systemctl --user daemon-reload; as_stranger systemctl --user restart promod.service" EXIT
    inside sh -c 'mkdir -p "$1" && install -d -o "$2" -m 0700 "/srv/promod/$2"
        for name in limits directories; do
            zcat /usr/share/man/man8/promod.8.gz | sed -n "/^# .*\/$name.conf\$/,/^\.Ed/{/^\.Ed/!p}" >"$1/$name.conf"
        done' sh "$drop_ins" "$user"
    manager daemon-reload
    manager restart promod.service
    refreshes
    is '*134217728*' manager show --property=MemoryMax promod.service
    is '*=32' manager show --property=TasksMax promod.service
    is "/srv/promod/$user/cache/promod/catalogs/*/catalog" inside find /srv/promod -name catalog
    # A user without such a directory has a promod that keeps nothing, rather than none.
    as_stranger systemctl --user daemon-reload
    as_stranger systemctl --user restart promod.service
    is active as_stranger systemctl --user is-active promod.service
}

check failed_starts "an upgrade starts a unit that failed, but not one that is disabled"
failed_starts() {
    trap 'inside systemctl --global --quiet enable promod.service promod.socket; as_user rm -rf .config/systemd; manager daemon-reload; both start' EXIT
    fail_service
    reinstall
    is $'active\nactive' both is-active
    fail_service
    inside systemctl --global --quiet disable promod.service
    reinstall
    is $'failed\nactive*' both is-active
    inside systemctl --global --quiet enable promod.service
    # What fails again does not fail the upgrade.
    fail_service
    as_user mv broken .config/systemd
    reinstall
    is 'failed*' manager is-active promod.service
}
fail_service() { # and leaves in "broken" what made it fail
    as_user sh -c 'rm -rf broken; mkdir -p .config/systemd/user/promod.service.d
        printf "[Service]\nExecStart=\nExecStart=/bin/false\nExecStopPost=\nRestart=no\n" >.config/systemd/user/promod.service.d/broken.conf'
    manager daemon-reload
    manager restart promod.service 2>/dev/null || true
    is 'failed*' manager is-active promod.service
    as_user mv .config/systemd broken
}

check removed_starts "a package that was removed and is installed again starts promod in open sessions, as a first installation does"
removed_starts() {
    apt_get remove promod
    is "$silently" apt_get install /srv/promod.deb
    is $'active\nactive' both is-active
    serves_apps
}

check smoke "the package's own test passes, for a user with a session and for root without one"
smoke() {
    "$container" put "$name" "$root/packaging/debian/tests/smoke" /srv/smoke
    begin_session_of_stranger
    is '*promod.socket starts promod*good: promoctl doctor*' as_stranger /srv/smoke
    is '*promod is started here*good: promoctl doctor*' inside /srv/smoke
}
