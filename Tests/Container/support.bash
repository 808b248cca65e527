# --- The container

inside() { "$container" run "$name" "$@"; }
as_user() { "$container" as "$name" "$user" "$@"; }
as_stranger() { "$container" as "$name" "$stranger" "$@"; }
manager() { as_user systemctl --user "$@"; }
origin() { inside systemctl "$1" nginx; }
apt_get() { inside env DEBIAN_FRONTEND=noninteractive DEBCONF_NOWARNINGS=yes apt-get --quiet=2 --yes "$@" 2>&1 | sed '/Reading database/d'; }
process_of() { inside systemctl show --property=MainPID --value "user@$(inside id -u "$1")"; } # a user's manager

begin_session_of_stranger() { # with the stranger's own promod
    inside loginctl enable-linger "$stranger"
    soon active as_stranger systemctl --user is-active promod.service
}

configure() { # writes the user's catalog and configuration, with an unknown key if one is given
    printf 'url = "%s"\nca-file = "/etc/promod-test/ca.pem"\n' "$url" |
        as_user sh -c 'mkdir -p "$HOME/.config/promod/catalogs.d" && cat >"$HOME/.config/promod/catalogs.d/default.toml"'
    printf '%s' "${1:+$1 = 1
}" | as_user sh -c 'cat >"$HOME/.config/promod/config.toml"'
}

# --- Comparing

is() { # is PATTERN COMMAND...: does the command's output match?
    local pattern=$1 seen; shift
    seen=$("$@" 2>&1) || seen+=" (exit code $?)"
    # shellcheck disable=SC2053 # a pattern
    [[ $seen == $pattern ]] || { echo "expected $pattern from $*, got: $seen"; return 1; }
}

soon() { # the same, but tries for $patience seconds, by default ten
    local deadline=$((SECONDS + ${patience:-10})) seen
    until seen=$(is "$@"); do
        ((SECONDS < deadline)) || { echo "$seen"; return 1; }
        sleep 0.3
    done
}

# --- promod

query() {
    as_user bash -c 'printf "%s\n" "$1" | timeout 30 nc -NU "$XDG_RUNTIME_DIR/promod/promod.sock"' query "$1"
}

ask() { # ask LINE FILTER: sends a request, and prints the result through jq's filter, or the reply if it has no result
    local reply; reply=$(query "$1")
    [[ -n $reply ]] || { echo "no reply"; return; }
    inside jq -er ".result // error | $2" <<<"$reply" 2>/dev/null || echo "$reply"
}

list() { ask '{"method":"list","host":"finebill","language":"ko"}' '"\(.state) \(.source) \(.apps | map(.id) | join(","))"'; }
refresh() { ask '{"method":"refresh"}' '"\(.outcome) \(.error.code)"'; }
problems() { ask '{"method":"status"}' ".problems | map(select(.code == \"$1\").text) | join(\" \")"; } # problems CODE: what is wrong
status_text() { manager status --no-pager --full promod.service | grep 'Status:'; }
main_pid() { manager show --property=MainPID --value promod.service; }
property() { manager show --property="$1" --value promod.service; }

serves_apps() { is '@(fresh|expired) origin bookary,finepomo' list; }
refreshes() { soon '@(unchanged|updated) null' refresh; }

keep_asking() { # keep_asking [COMMAND]: sends queries one after another in the background until `enough`; if a command starts promod, with
    # it before each, and again without a reply, as a client does
    as_user bash -c 'rm -f enough; asked=0 lost=0
        ask() { $1; echo "{\"method\":\"list\"}" | timeout 30 nc -NU "$XDG_RUNTIME_DIR/promod/promod.sock"; }
        until [ -e enough ]; do
            reply=$(ask "$1") || reply=
            [ -n "$reply" ] || [ $# -eq 0 ] || reply=$(ask "$1") || reply=
            asked=$((asked + 1))
            case $reply in *bookary*) ;; *) lost=$((lost + 1)) ;; esac
        done
        echo "$asked asked, $lost lost"' keep_asking "$@" >"/tmp/$name.asked" &
    asking=$!
}
enough() { as_user touch enough; }
every_query_was_answered() {
    enough
    wait "$asking"
    is "[1-9]* asked, 0 lost" cat "/tmp/$name.asked"
    rm "/tmp/$name.asked"
}
