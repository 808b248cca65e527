# An app that brings its own promod, as README says, beside the package.

bring_app() { # gives the user an app with the package's programs, which outlives the package
    inside sh -euc 'cd "$(mktemp -d)" && dpkg-deb --extract /srv/promod.deb . && install -d --owner="$1" "/home/$1/app" &&
        install -t "/home/$1/app" usr/bin/promod usr/bin/promoctl' sh "$user"
}

readonly -a start_own=(app/promod --background)

started_by() { ask '{"method":"status"}' '.startedBy'; }

end_own() { # ends the app's promod, if there is one, and removes the app
    [[ $(started_by 2>&1) != app ]] || inside kill "$(ask '{"method":"status"}' .pid)"
    as_user rm -rf app .config/promod/config.toml
}

promods() { # prints the user's daemons: a promod whose parent is one fetches for it; processes may end meanwhile
    inside sh -c 'for each in $(find /proc -maxdepth 1 -name "[0-9]*" -user "$1" 2>/dev/null); do
        case $(readlink "$each/exe") in */promod) ;; *) continue ;; esac
        case $(readlink "/proc/$(cut -d " " -f 4 "$each/stat")/exe") in */promod) ;; *) tr "\0" " " <"$each/cmdline"; echo ;; esac
    done' sh "$user"
}

check package_comes "if the package is installed while an app's promod has clients, the service takes over, and no query and no launch is lost; after its removal the app's promod is started again"
package_comes() {
    local first; following=
    trap 'enough; kill $following; end_own; apt_get install /srv/promod.deb' EXIT
    bring_app
    apt_get remove promod
    is '' as_user "${start_own[@]}"
    is app started_by
    is '*"recorded":true*' query '{"method":"launch","app":"quokka"}'
    first=$(ask '{"method":"launch","app":"quokka"}' .firstLaunch)
    as_user app/promoctl events tap >"/tmp/$name.events" 2>&1 &
    following=$!
    soon 1 ask '{"method":"status"}' .socket.subscribers
    keep_asking "${start_own[*]}"
    is "$silently" apt_get install /srv/promod.deb
    soon service started_by
    soon '*promod is back after a restart.' cat "/tmp/$name.events"
    is '/usr/bin/promod ' promods
    is "$first" ask '{"method":"launch","app":"quokka"}' .firstLaunch
    apt_get remove promod
    soon app started_by
    soon '*is back*is back*' cat "/tmp/$name.events"
    is 'promod-background *' promods
    is "$first" ask '{"method":"launch","app":"quokka"}' .firstLaunch
    every_query_was_answered
    serves_apps
}

check switched_off "masked units do not keep an app from starting its promod, background = false does, and unmasked units take over"
switched_off() {
    trap 'end_own; both unmask; both start' EXIT
    bring_app
    both mask
    both stop
    is '' as_user "${start_own[@]}"
    is app started_by
    serves_apps
    both unmask
    manager start promod.socket
    is service started_by
    serves_apps
    both mask
    both stop
    as_user sh -c 'echo "background = false" >.config/promod/config.toml'
    is '*background = false (exit code 77)' as_user "${start_own[@]}"
    is '' promods
}
