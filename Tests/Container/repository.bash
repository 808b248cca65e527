readonly repositories=https://origin.test:8443/apt sources=/etc/apt/sources.list.d/promod.sources make=$root/packaging/releasing/apt-repository

stage repository "the operators' curl lines get the key and the sources of a repository that packaging/releasing/apt-repository made"
repository() {
    make_keys
    make_repositories
    tar --create apt | inside tar --extract --no-same-owner --directory=/srv/catalog
    inside sh -c 'rm --force /etc/apt/sources.list; echo "Acquire::https::CaInfo \"/etc/promod-test/ca.pem\";" >/etc/apt/apt.conf.d/ca'
    inside env CURL_CA_BUNDLE=/etc/promod-test/ca.pem sh -euc "$(of_operators 'curl -fo .*')"
}

of_operators() { # of_operators PATTERN: the commands of their article that match it, with the address of the repository
    sed --quiet "s,https://example.com/apt,$repositories/releases,; s,^    \($1\)\$,\1,p" "$root/Sources/PromoDaemon/PromoDaemon.docc/ForOperators.md"
}

make_keys() { # and enters a directory; both last until the check ends
    local scratch; scratch=$(mktemp -d)
    export GNUPGHOME=$scratch/gpg
    trap "gpgconf --kill all; rm -rf $scratch" EXIT
    mkdir --mode=700 "$GNUPGHOME"
    gpg --batch --quiet --passphrase '' --quick-generate-key ours@example.org ed25519 sign
    cd "$scratch"
}

make_repositories() ( # in apt: one with the previous release, the same with the next one, and those that are bad
    mkdir apt
    cd apt
    "$make" --url "$repositories/releases" releases ours@example.org "$previous"
    cp --archive releases next
    "$make" --valid-days 7 next ours@example.org "$package"

    cp --archive releases expired
    SOURCE_DATE_EPOCH=$(($(date +%s) - 3 * 86400)) "$make" --valid-days 2 expired ours@example.org
    cp --archive releases tampered_index
    index=$(echo tampered_index/dists/stable/main/binary-*)
    sed --in-place 's/^Version:.*/Version: 9/' "$index/Packages"
    xz --keep --force "$index/Packages"
    for file in "$index"/by-hash/SHA256/*; do
        if xz --test "$file" 2>/dev/null; then cp "$index/Packages.xz" "$file"; else cp "$index/Packages" "$file"; fi
    done
)

check published_kept "packaging/apt-repository refuses a published package that changed"
published_kept() {
    make_keys
    "$make" --url "$repositories" one ours@example.org "$previous"
    cp "$package" "${previous##*/}"
    is '*A published package must not change*exit code 65*' "$make" one ours@example.org "${previous##*/}"
}

refused() { # refused REPOSITORY PATTERN: apt says PATTERN of it, and installs nothing
    trap "inside sed --in-place 's,apt/$1$,apt/releases,' $sources" EXIT
    inside sed --in-place "s,apt/releases$,apt/$1," "$sources"
    is "$2*exit code 100*" update_and_install
    is '*no packages found*' inside dpkg-query --show promod
}
update_and_install() { apt_get update || true; apt_get install promod; }

check tampered_index "apt refuses a repository whose index was changed"
tampered_index() { refused tampered_index '*@(Hash Sum mismatch|unexpected size)*'; }

check expired "apt refuses a repository whose Valid-Until has passed"
expired() { refused expired '*Release file for * is expired*'; }

publish_next() { inside cp --recursive /srv/catalog/apt/next/. /srv/catalog/apt/releases; }

installed_version() { inside dpkg-query --show --showformat='${Version}' promod; }
