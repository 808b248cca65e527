stage setup "a Debian with a user, an HTTPS origin and a network of its own boots"
setup() {
    "$container" up "$name"
    "$container" put "$name" "$root/Sources/PromoCore/Catalog/sample.json" /srv/catalog/catalog.json
    "$container" put "$name" "$package" /srv/promod.deb
    "$container" put "$name" "$previous" /srv/previous.deb
    inside bash -s "$user" "$stranger" <"$root/Tests/Container/furnish"
    soon '@(running|degraded)*' manager is-system-running
}

apt_get() { inside env DEBIAN_FRONTEND=noninteractive DEBCONF_NOWARNINGS=yes apt-get --quiet=2 --yes "$@" 2>&1 | grep -v 'Reading database'; }

stage install "apt installs the package from its file, and the service starts at once in the user's manager"
install() {
    is '*promod: next: promoctl setup https://*' apt_get install /srv/previous.deb
    is 'install ok installed' inside dpkg-query --show --showformat='${Status}' promod
    is '' inside dpkg --audit
    soon active manager is-active promod.service
    is active manager is-active promod.socket
    is $'enabled\nenabled' manager is-enabled promod.service promod.socket
    is '' inside sh -c 'ldd /usr/bin/promod /usr/bin/promoctl | grep "not found" || true'
    is '' inside sh -c 'head -c 0 /usr/share/doc/promod/examples/config.toml /usr/share/doc/promod/examples/catalog.json \
        /usr/share/doc/promod/examples/nginx.conf /usr/share/promod/catalog-schema.json /usr/share/man/man5/promod.catalog.5.gz \
        /usr/share/doc/promod/copyright /usr/share/doc/promod/changelog.gz /usr/share/bash-completion/completions/promoctl \
        /usr/share/zsh/vendor-completions/_promoctl /usr/share/fish/vendor_completions.d/promoctl.fish 2>&1 >/dev/null'
}

check sample "before a setup, promod serves the sample, and the journal says how to change that"
sample() {
    soon 'loaded sample bookary,finepomo' list
    is '*promoctl setup https://*' as_user journalctl --user --unit promod --no-pager --catalog
}

stage set_up "promoctl setup gives promod the origin's catalog"
set_up() {
    # Only this shell has the variable, so the service's file must be written.
    is "*good, 5 apps*Wrote /home/$user/.config/promod/config.toml*Bookary*" \
        as_user env XDG_CONFIG_HOME="/home/$user/elsewhere" promoctl setup "$url" --ca-file /etc/promod-test/ca.pem
    soon 'loaded origin bookary,finepomo' list
}

check doctor "promoctl doctor finds everything good, units included, and says what is wrong if the origin is down"
doctor() {
    is '*good*Socket*good*Program*good*Configuration*good*Served*good*promod.socket*good*promod.service*good*Name look-up*good*Catalog*' \
        as_user promoctl doctor
    origin stop
    trap 'origin start' EXIT
    is '*bad*Catalog*Connection refused*' eval '! as_user promoctl doctor'
}

stage upgrade "an upgrade restarts the running promod, loses no query of many, and keeps the cache"
upgrade() {
    local before generation
    trap 'enough; origin start' EXIT
    before=$(main_pid)
    generation=$(ask '{"method":"status"}' .generation)
    origin stop # so that what is served afterwards is the cache
    keep_asking
    is '!(*next: promoctl*)' apt_get install /srv/promod.deb
    every_query_was_answered
    is "$version" inside dpkg-query --show --showformat='${Version}' promod
    is active manager is-active promod.service
    is "!($before)" main_pid
    is "$generation" ask '{"method":"status"}' .generation
    is '@(loaded|cached) origin bookary,finepomo' list
}
