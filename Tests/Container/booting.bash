stage setup "a Debian with a user, an HTTPS origin and a network of its own boots"
setup() {
    "$container" up "$name"
    "$container" put "$name" "$root/Sources/PromoCore/Catalog/sample.json" /srv/catalog/catalog.json
    "$container" put "$name" "$package" /srv/promod.deb
    inside bash -s "$user" "$stranger" <"$root/Tests/Container/furnish"
    soon '@(running|degraded)*' manager is-system-running
}
