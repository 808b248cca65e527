check install_user "install-user installs promod for one user without root, and --remove removes it"
install_user() {
    trap 'as_stranger rm -rf promod' EXIT
    begin_session_of_stranger
    tar --create --directory="$root" packaging systemd Sources/PromoCore/Catalog/sample.json .build/release/promod .build/release/promoctl \
        --dereference | as_stranger sh -c 'mkdir promod && tar --extract --directory=promod'
    is '*runs.*promoctl setup*journalctl --update-catalog*enable-linger*' as_stranger promod/packaging/install-user --built
    stranger_runs "/home/$stranger/.local/bin/promod"
    is 0 as_stranger sh -c '.local/bin/promoctl status --json | jq ".catalogs | length"'
    is 0 as_stranger sh -c 'systemctl --user reload promod; echo $?'
    is '*removed*.config/promod*' as_stranger promod/packaging/install-user --remove
    is '' as_stranger find .local -type f -not -path '*/state/*'
    # The package's promod runs again, as before.
    soon active as_stranger systemctl --user is-active promod.service
    is /usr/lib/systemd/user/promod.service as_stranger systemctl --user show --property=FragmentPath --value promod
}

stranger_runs() { soon "$1 *" as_stranger sh -c 'tr "\0" " " <"/proc/$(systemctl --user show --property=MainPID --value promod)/cmdline"'; }

check portable "the portable archive installs promod for one user and for all, and removes it"
portable() {
    trap 'as_stranger sh -c "rm -rf promod-*"' EXIT
    begin_session_of_stranger
    unpack_portable
    is '*runs.*promoctl setup*' as_stranger "$portable/install"
    stranger_runs "/home/$stranger/.local/bin/promod"
    is '*removed*.config/promod*' as_stranger "$portable/install" --remove
    is '' as_stranger find .local -type f -not -path '*/state/*'
    is '*starts with each session*' inside "/home/$stranger/$portable/install" --prefix /usr/local
    as_stranger sh -c 'systemctl --user daemon-reload && systemctl --user restart promod.service'
    stranger_runs /usr/local/bin/promod
    is '*removed*' inside "/home/$stranger/$portable/install" --remove --prefix /usr/local
    is '' inside find /usr/local -name '*promod*'
    as_stranger sh -c 'systemctl --user daemon-reload && systemctl --user restart promod.service'
    stranger_runs /usr/bin/promod
    is enabled inside systemctl --global is-enabled promod.service
}
readonly portable=promod-$version-linux-$arch
unpack_portable() { zstd --decompress --stdout "$root/.build-portable/$portable.tar.zst" | as_stranger tar --extract; }

check portable_refused "without a library or with an old glibc, the portable archive installs nothing, and says what it needs"
portable_refused() {
    local libraries
    libraries=$(inside sh -c 'dirname /usr/lib/*/libcurl.so.4')
    trap "inside sh -c 'mv /srv/away/* $libraries; ldconfig'; as_stranger sh -c 'rm -rf promod-* old'" EXIT
    begin_session_of_stranger
    unpack_portable
    inside sh -c 'mkdir /srv/away && mv "$1"/libcurl.so.4* /srv/away && ldconfig' sh "$libraries"
    is '*needs these libraries*: libcurl.so.4. Nothing was installed.*exit code 69*' as_stranger "$portable/install"
    as_stranger sh -c 'mkdir old && printf "#!/bin/sh\necho glibc 2.31\n" >old/getconf && chmod +x old/getconf'
    is '*needs glibc 2.36 or later, and this system has glibc 2.31. Nothing was installed.*exit code 69*' \
        as_stranger sh -c 'PATH=$PWD/old:$PATH "$1/install"' sh "$portable"
    is '' as_stranger find .local -type f -not -path '*/state/*'
}
