check stranger_denied "another user gets neither the socket nor the cache, and not this catalog from a promod of their own"
stranger_denied() {
    local uid; uid=$(inside id -u "$user")
    is '*Permission denied*' as_stranger sh -c 'echo "{\"method\":\"status\"}" | nc -NU "$1"' sh "/run/user/$uid/promod/promod.sock"
    is '*exit code 69*' as_stranger env "PROMOD_SOCKET=/run/user/$uid/promod/promod.sock" promoctl list
    is "*Permission denied*" as_stranger ls "/home/$user/.cache/promod/catalogs"
    begin_session_of_stranger
    soon 0 as_stranger sh -c 'promoctl status --json | jq ".catalogs | length"'
}

check taps_untraced "taps and impressions are in no journal record and in no file"
taps_untraced() {
    is bookary ask '{"method":"tap","app":"bookary","host":"quagga"}' .app
    is 1 ask '{"method":"impression","apps":["stedio"],"host":"quagga"}' .emitted
    inside journalctl --sync
    # In the whole journal, of all users and with all fields, and in every file of the user.
    is 0 inside sh -c 'journalctl --output=export | grep --text --count quagga || true'
    is '' inside sh -c 'grep --recursive --files-with-matches quagga "/home/$1" || true' sh "$user"
}
