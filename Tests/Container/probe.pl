# Tries what promod must not be able to do, and what it must be able to do, and writes the outcomes into the cache directory.
use strict;
use warnings;
use POSIX ();
use Socket;

my @seen;
sub try { my ($what, $worked) = @_; push @seen, "$what: " . ($worked ? "yes" : "no\t$!") }
sub touch { open(my $file, ">", $_[0]) }
sub opens { my ($family) = @_; socket(my $datagram, $family, SOCK_DGRAM, 0) || socket(my $raw, $family, SOCK_RAW, 0) }
sub reach { my ($path) = @_; socket(my $s, PF_UNIX, SOCK_STREAM, 0); connect($s, pack_sockaddr_un($path)) }

try("home", touch("$ENV{HOME}/forbidden"));
try("config", touch("$ENV{HOME}/.config/promod/forbidden"));
try("etc", touch("/etc/forbidden"));
try("usr", touch("/usr/forbidden"));
try("runtime", touch("$ENV{XDG_RUNTIME_DIR}/forbidden"));
try("cache", touch("$ENV{HOME}/.cache/promod/allowed") && unlink("$ENV{HOME}/.cache/promod/allowed"));
try("state", touch("$ENV{HOME}/.local/state/promod/allowed") && unlink("$ENV{HOME}/.local/state/promod/allowed"));
try("socket directory", touch("$ENV{XDG_RUNTIME_DIR}/promod/allowed") && unlink("$ENV{XDG_RUNTIME_DIR}/promod/allowed"));
my %families = (unix => 1, inet => 2, inet6 => 10, netlink => 16, packet => 17, bluetooth => 31, alg => 38, vsock => 40);
try($_, opens($families{$_})) for sort keys %families;
try("namespace", system("unshare --user true 2>/dev/null") == 0);
try("setuid", POSIX::setuid(0));
try("priority", setpriority(0, 0, -5));
try("other tmp", -e "/tmp/of-somebody-else");
try("disk", -e "/dev/vda" || -e "/dev/kmsg");
try("user bus", reach("$ENV{XDG_RUNTIME_DIR}/bus"));
try("user manager", reach("$ENV{XDG_RUNTIME_DIR}/systemd/private"));
try("system bus", reach("/run/dbus/system_bus_socket"));
try("systemd-run", system("systemd-run --user --wait true 2>/dev/null") == 0);

# Without the filter, each would succeed or fail with another error than EPERM.
my $arm = (POSIX::uname())[4] eq "aarch64" ? 1 : 0;
my @calls = (
    # name, number on amd64, on arm64, arguments
    [add_key => 248, 217, "user", "probe", "x", 1, -2], [keyctl => 250, 219, 0, -2, 1], [request_key => 249, 218, "user", "probe", 0, -2],
    [userfaultfd => 323, 282, 1], [io_uring_setup => 425, 425, 1, 0], [io_setup => 206, 0, 1, 0],
    [ptrace => 101, 117, 0, 0, 0, 0], [perf_event_open => 298, 241, 0, 0, -1, -1, 0], [syslog => 103, 116, 3, 0, 0],
    [setns => 308, 268, -1, 0], [mount => 165, 40, 0, 0, 0, 0, 0], [open_tree => 428, 428, -1, "", 0x1000],
    [open_by_handle_at => 304, 265, -1, 0, 0], [fanotify_init => 300, 262, -1, 0],
    # Allowed, for the process that fetches.
    [landlock_create_ruleset => 444, 444, 0, 0, 1],
);
for (@calls) {
    my ($name, @numbers) = splice @$_, 0, 3;
    $! = 0;
    try($name, syscall($numbers[$arm], @$_) >= 0 || $! != POSIX::EPERM);
}

open(my $out, ">", "$ENV{HOME}/.cache/promod/probe") or die $!;
print $out "$_\n" for @seen;
