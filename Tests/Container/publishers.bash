publish() { # publish NAME APPS...: makes and installs a package of a publisher, with a drop-in and a catalog at the origin
    local publisher=$1 app rows=(); shift
    for app; do
        rows+=('{"id":"'"$app"'","name":"'"$app"'","appStoreID":"1","iconURL":"https://a.example/i","category":"other","tagline":{"en":"e"}}')
    done
    (IFS=,; echo '{"apps":['"${rows[*]}"'],"promoRules":{}}') | inside tee "/srv/catalog/$publisher.json" >/dev/null
    inside bash -euc 'cd "$(mktemp -d)"
        mkdir -p app/DEBIAN app/usr/share/promod/catalogs.d
        printf "Package: %s-apps\nVersion: 1\nArchitecture: all\nMaintainer: %s <a@b.example>\nDescription: apps\n" "$1" "$1" >app/DEBIAN/control
        printf "url = \"https://origin.test:8443/%s.json\"\nca-file = \"/etc/promod-test/ca.pem\"\n" "$1" >"app/usr/share/promod/catalogs.d/$1.toml"
        dpkg-deb --root-owner-group --build app "/srv/$1-apps.deb" >/dev/null
        dpkg --install "/srv/$1-apps.deb" >/dev/null' publish "$publisher"
}

unpublish() { inside dpkg --purge "$1-apps"; }

apps_of() { ask '{"method":"list","wait":true,"catalog":"'"$1"'"}' '"\(.state) \(.apps | map(.id) | join(","))"'; }

check publishers "two publishers' packages are found without a reload or a restart, and both catalogs are served"
publishers() {
    trap 'unpublish acme; unpublish zebra' EXIT
    local pid; pid=$(main_pid)
    publish acme anvil rocket
    publish zebra stripes
    soon '*default*acme*zebra*' as_user promoctl status
    soon 'fresh anvil,rocket' apps_of acme
    soon 'fresh stripes' apps_of zebra
    is 'fresh stripes' apps_of https://origin.test:8443/zebra.json
    serves_apps
    is "$pid" main_pid
    soon '*Status: "3 catalogs with 8 apps*' status_text
    is '*default *fresh *acme *fresh *2 *zebra *' as_user promoctl status
    is /usr/share/promod/catalogs.d/acme.toml ask '{"method":"status"}' '.catalogs[1].file'
    soon '*acme: The catalog was updated: 2 apps*' as_user journalctl --user --unit=promod.service --no-pager PROMOD_CATALOG=acme
    is 'anvil *' as_user sh -c 'promoctl list --catalog acme --json | jq -r ".apps[].id" | head -n 2 | tr "\n" " "'
}
