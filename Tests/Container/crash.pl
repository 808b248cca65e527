# crash.pl PID: makes promod crash when it next wakes, by writing an illegal instruction to where its waiting threads return from
# the kernel. It needs no symbols: the kernel shows each thread's stack pointer.
use strict;
use warnings;
no warnings "portable"; # addresses have 64 bits
use POSIX ();

my ($pid) = @ARGV;
my $illegal = (POSIX::uname())[4] eq "aarch64" ? "\0" x 4 : "\x0f\x0b";
my $waiting = qr/^(232|281|22)$/; # epoll_wait and epoll_pwait on amd64, epoll_pwait on arm64

my $program = readlink "/proc/$pid/exe" or die "exe: $!";
open(my $maps, "<", "/proc/$pid/maps") or die "maps: $!";
my @code = map { m,^([0-9a-f]+)-([0-9a-f]+) r-xp .* \Q$program\E$, ? [hex $1, hex $2] : () } <$maps>;
open(my $memory, "+<", "/proc/$pid/mem") or die "mem: $!";

sub calls { # for each thread: "running", or the system call's number, its arguments, stack pointer and program counter
    return map { open(my $call, "<", $_) or die "$_: $!"; scalar <$call> } glob("/proc/$pid/task/*/syscall");
}

my @calls;
for my $try (1 .. 100) {
    @calls = calls();
    last unless grep { /^running/ } @calls;
    select(undef, undef, undef, 0.05);
}

my $changed = 0;
for (@calls) {
    my ($number, $stack) = (split)[0, -2];
    next unless $number =~ $waiting;
    sysseek($memory, hex $stack, 0);
    sysread($memory, my $words, 512) == 512 or die "stack: $!";
    # Change every return address into promod's code: the C library returns to one of them, and older calls left the others.
    for my $address (unpack "Q*", $words) {
        next unless grep { $address >= $_->[0] && $address < $_->[1] } @code;
        sysseek($memory, $address, 0);
        syswrite($memory, $illegal) == length $illegal or die "code: $!";
        $changed++;
    }
}
$changed or die "no thread of promod waits for events";
