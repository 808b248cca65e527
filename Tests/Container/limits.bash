# The memory and the tasks that promod(8) lets the service have.

make_large() { # prints a tar of large.json, a catalog of nearly 5 MiB, and of icons/, 1,000 different pictures of 30 kB
    (cd "$root/Tests/System" && python3 -c '
import io, sys, tarfile
from support import catalog, pictures
with tarfile.open(fileobj=sys.stdout.buffer, mode="w|") as tar:
    def add(name, data):
        entry = tarfile.TarInfo(name)
        entry.size = len(data)
        tar.addfile(entry, io.BytesIO(data))
    large = catalog.large(5_450_000).bytes.replace(b"https://example.com/", b"https://origin.test:8443/")
    assert 5_000_000 < len(large) <= 5 << 20, len(large)
    add("large.json", large)
    for number in range(1000):
        add(f"icons/{number}.png", pictures.noise(30_000))')
}

limit_service() { # as promod(8) shows
    inside sh -c 'mkdir -p "$1" && zcat /usr/share/man/man8/promod.8.gz | sed -n "/^# .*\/limits.conf\$/,/^\.Ed/{/^\.Ed/!p}" >"$1/limits.conf"' \
        sh /etc/systemd/user/promod.service.d
    manager daemon-reload
    if [[ -d /sys/fs/cgroup/memory ]]; then hybrid_limits; else manager restart promod.service; fi
    is '*=134217728' manager show --property=MemoryMax promod.service
    is '*=32' manager show --property=TasksMax promod.service
    [[ -d /sys/fs/cgroup/memory ]] || is $'134217728\n32' inside sh -c 'cd "/sys/fs/cgroup$(cut -d : -f 3 "/proc/$1/cgroup")" && cat memory.max pids.max' sh "$(main_pid)"
}

hybrid_limits() { # restarts promod with the limits in force, because systemd has no controllers of hybrid cgroups for users
    local controller
    mkdir "/sys/fs/cgroup/memory/$name" "/sys/fs/cgroup/pids/$name"
    manager show --property=MemoryMax --value promod.service >"/sys/fs/cgroup/memory/$name/memory.limit_in_bytes"
    manager show --property=TasksMax --value promod.service >"/sys/fs/cgroup/pids/$name/pids.max"
    # A new process is where the one is that starts it.
    for controller in memory pids; do move_manager "$controller" "$name"; done
    manager restart promod.service
    for controller in memory pids; do move_manager "$controller" "$(sed -n "s,^[0-9]*:$controller:/,,p" /proc/self/cgroup)"; done
    is '[1-9]*' cat "/sys/fs/cgroup/memory/$name/cgroup.procs"
}

move_manager() { # move_manager CONTROLLER GROUP
    local pid
    find "/sys/fs/cgroup/systemd/promod-test-$name" -path "*/user@$(inside id -u "$user").service/init.scope/cgroup.procs" -exec cat {} + |
        while read -r pid; do echo "$pid" >"/sys/fs/cgroup/$1/$2/cgroup.procs"; done
}

loosen() {
    local group
    manager --quiet stop promod.service
    inside rm -rf /srv/catalog/large.json /srv/catalog/icons /etc/systemd/user/promod.service.d/limits.conf
    as_user rm -f .config/promod/catalogs.d/large.toml
    manager daemon-reload
    # A process that has ended may still be in one.
    for group in /sys/fs/cgroup/{memory,pids}/"$name"; do [[ ! -d $group ]] || soon '' rmdir "$group" || true; done
    manager start promod.service
}

of_large() { ask '{"method":"list","catalog":"large","wait":true,"icons":true'"${1-}"'}' '"\(.state) \(.apps | length > 12000)"'; }
pictures() { as_user sh -c 'ls .cache/promod/catalogs/*/icons | grep -c "\.png$"'; }

check fits "within the limits that promod(8) shows, a catalog of 5 MiB is fetched with its pictures, listed in every language by many at once, and fetched again"
fits() {
    trap loosen EXIT
    make_large | inside tar --extract --directory=/srv/catalog
    limit_service
    local pid asking=(); pid=$(main_pid)
    printf 'url = "%s"\nca-file = "/etc/promod-test/ca.pem"\n' "${url/catalog.json/large.json}" |
        as_user tee .config/promod/catalogs.d/large.toml >/dev/null
    soon 'fresh true' of_large
    patience=120 soon 1000 pictures
    for language in '"*"' '"en"' '"ko"' '"*"' '"ja"' '"*"'; do
        (is 'fresh true' of_large ',"language":'"$language") &
        asking+=($!)
    done
    for each in "${asking[@]}"; do wait "$each"; done
    inside sed --in-place 's/steady/quieter/' /srv/catalog/large.json
    soon 'updated null' ask '{"method":"refresh","catalog":"large"}' '"\(.outcome) \(.error.code)"'
    is 'fresh true' of_large ',"language":"*"'
    is "$pid" main_pid
    is 0 property NRestarts
}
