"""The stages of packaging/test: what each runs, what it needs, and how much of the machine."""
from dataclasses import dataclass

DEBUG, RELEASE = ".build/debug/promod", ".build/release/promod"
# The debug build of a run of everything counts coverage, and is apart, so that neither build undoes the other. SwiftPM finds the tests in
# its index, but without what the system's modules have in it, which would take a fifth of the time.
WHOLE_BUILD = ".build-coverage"
WHOLE = 1.0  # the share of a stage that keeps all cores busy
MOST = 0.7
HALF = 0.5
LITTLE = 0.2
SLIGHT = 0.1  # of one that mostly waits
REST = 0.0  # of one that runs only while others leave a core idle


@dataclass
class Stage:
    """A command, after other stages, with the share of the machine that it keeps busy."""

    name: str
    claim: str
    command: tuple
    share: float
    # The stages that must have passed.
    after: tuple = ()
    # Debian packages.
    needs: tuple = ()
    # Its command and what it comes after in a run of everything, if they differ.
    whole: tuple = None
    whole_after: tuple = None
    # The stages that must have ended, because both would be slower beside each other, or use the same files.
    behind: tuple = ()
    # The command of a short run; none if it has no part in one.
    fast: tuple = None


def _shell(script):
    return ("sh", "-eu", "-c", script)


def _suite(name, claim, share=LITTLE, in_short=True, needs=(), has_program=False):
    """A suite; a run of everything tests what is shipped, and with a program of the debug build if the suite has one."""
    run, needs = ("Tests/System/run", name, "--daemon"), ("openssl", *needs)
    return Stage(
        name, claim, (*run, DEBUG), share, ("build",), needs, (*run, RELEASE), ("package", "build") if has_program else ("package",),
        fast=(*run, DEBUG, "--fast") if in_short else None)


def _always(name, claim, command, share, after=(), needs=(), behind=(), whole=None):
    return Stage(name, claim, command, share, after, needs, fast=command, behind=behind, whole=whole)


CONTAINER = ("systemd-container", "debootstrap", "apt-utils", "gnupg", "zstd")
CLOCK = ("libfaketime", "gcc", "libc6-dev")


STAGES = [
    # All files that name a shell in their first line.
    _always("shellcheck", "the shell scripts have no warnings", _shell(
        r"""find . \( -name .git -o -name '.build*' \) -prune -o -type f -print0 |
        xargs -0 awk 'FNR == 1 && /^#!.*[\/ ](ba)?sh( |$)|^# shellcheck shell=/ { print FILENAME } { nextfile }' |
        xargs shellcheck --external-sources --check-sourced"""), HALF, needs=("shellcheck",)),
    _always("format", "swift format finds nothing to change",
            ("swift", "format", "lint", "--strict", "--recursive", "Sources", "Tests", "Package.swift"), HALF),
    # First, because the containers take longest, and mostly wait.
    Stage("package", "the package builds, has no warnings of lintian, and installs at most 34 MB", _shell("""
        packaging/build-deb
        version=$(packaging/releasing/version --number)
        # Debian 12's knows no Static-Built-Using, which its dpkg has.
        lintian --allow-root --fail-on error,warning --suppress-tags unknown-field ".build-deb/promod_${version}_$(dpkg --print-architecture).changes"
        size=$(du --bytes --total .build-deb/stage/debian/promod/usr/bin/* | tail -n 1 | cut -f 1)
        echo "promod and promoctl take $((size / 1000000)) MB installed; the limit is 34 MB"
        [ "$size" -le 34000000 ]
        packaging/releasing/portable
        packaging/build-deb "$version~previous" """), WHOLE, needs=("debhelper", "lintian", "zstd")),
    Stage("bookworm", "the service, installed from the package in a container with Debian 12", ("packaging/test-in-container",), SLIGHT,
          ("package",), CONTAINER),
    # What depends on systemd.
    Stage("trixie", "the same with Debian 13 and its systemd", _shell("""
        PROMOD_CONTAINER_SUITE=trixie packaging/test-in-container tampered_index expired doctor downgrade activation ready reload explained \
            stops reboot package_comes switched_off journal_restarts environment_d system_users volatile_journal \
            killed watchdog confined verified score quiet no_namespaces stopped_stays turned_off administered \
            failed_starts removed_starts smoke install_user portable portable_refused frozen removal"""), SLIGHT, ("package",), CONTAINER),
    _always("build", "the programs and their tests build without warnings",
            ("swift", "build", "--build-tests"), WHOLE,
            needs=("libcurl4-openssl-dev", "libsodium-dev", "libsystemd-dev", "zlib1g-dev"),
            whole=("swift", "build", "--build-tests", "--enable-code-coverage", "--scratch-path", WHOLE_BUILD,
                   "-Xswiftc", "-index-ignore-system-modules")),
    Stage("swift", "the tests in Swift; with --all, 90 % of the lines of each module are covered", ("Tests/System/swift",), MOST, ("build",),
          ("nginx-light", "openssl", "netcat-openbsd", "jq", "iproute2", "strace", "util-linux", "python3-jsonschema", "zsh", "fish"),
          _shell("""
              Tests/System/swift --coverage
              packaging/coverage 90 PromoWire PromoSystem PromoCore PromoDaemon promoctl/Page CrossPromoKit"""),
          fast=("Tests/System/swift",)),
    _always("generated", "manual pages, completions and the OpenRPC document are those of the code", ("packaging/generate", "--check"),
            LITTLE, ("build",), ("groff-base", "mandoc", "jq", "netcat-openbsd")),
    _always("docs", "the articles and the library's documentation build without warnings", ("packaging/docs",), LITTLE, ("build",), ("jq",),
            ("generated",)),
    Stage("shipped", "what is shipped: hardened programs, licences, the list of libraries, an rpm, and C that compiles for arm64",
          ("Tests/System/run", "shipped", "--daemon", RELEASE), LITTLE, ("package",),
          ("binutils", "libc6-dev-arm64-cross", "rpm")),
    Stage("run", "packaging/run shows the sample in fewer than 40 lines, and leaves no process and no file", _shell("""
        directory=$(mktemp -d)
        shown=$(TMPDIR=$directory packaging/run | sed -n '/^promod is running/,$p')
        echo "$shown"
        [ "$(echo "$shown" | wc -l)" -lt 40 ]
        for words in 'FinePomo ' 'app=bookary' 'fresh  5' 'set by the command line'; do echo "$shown" | grep --quiet "$words"; done
        [ -z "$(pgrep --full "$directory"; find "$directory" -name 'tmp.*')" ]  # the build leaves others
        rm -r "$directory" """), HALF, ("package",), ("openssl", "procps")),
    Stage("release", "a release is refused unless all is ready, is the same each time, and its source package builds without a network",
          ("packaging/releasing/test-release",), MOST, ("package",), ("apt-utils", "debhelper", "git", "gnupg", "rpm", "util-linux", "xz-utils", "zstd")),
    _suite("endurance", "100,000 requests of each method", in_short=False),
    _suite("metrics", "the figures, as Prometheus reads them", SLIGHT, needs=("python3-prometheus-client", "util-linux")),
    _suite("restarts", "crash loops, kills at each system call, a disk that refuses", SLIGHT, needs=("strace", "util-linux")),
    _suite("soak", "everything at once, while everything that can fail does", HALF, needs=("mount",)),
    _suite("examples", "the example programs, each with a promod: what it shows and reports, and that it outlives promod",
           needs=("jq", "netcat-openbsd", "ncat", "socat", "nodejs", "gcc", "libc6-dev", "libjansson-dev", "libadwaita-1-dev", "python3-gi", "gir1.2-adw-1",
                  "gir1.2-atspi-2.0", "at-spi2-core", "dbus", "fzf", "xvfb")),
    _suite("documents", "the examples of the READMEs, the manual pages, the articles and the help",
           needs=("curl", "iproute2", "jq", "netcat-openbsd", "util-linux")),
    _suite("conformance", "the specifications, clause by clause", HALF, needs=("python3-venv", "python3-jsonschema")),
    _suite("origins", "origins that are silent, slow, broken, too large or not the origin at all", needs=("nginx-light",)),
    _suite("proxies", "HTTP proxies: which is used, what it is told, and what comes of its failures",
           needs=("iproute2", "util-linux")),
    _suite("clocks", "a machine that sleeps, a clock that is set", needs=CLOCK),
    _suite("sandboxes", "clients in sandboxes", needs=("bubblewrap", "flatpak", "netcat-openbsd", "util-linux"), has_program=True),
    _suite("shipping", "apps that bring promod: an AppImage, a Flatpak, a Python wheel, bare machines, other users, and ten at once",
           needs=("bubblewrap", "flatpak", "python3-venv", "squashfs-tools", "squashfuse", "util-linux"), has_program=True),
    _suite("pages", "the web page in Chromium", needs=("chromium",)),
    _suite("github", "the workflows and the issue forms, by GitHub's schemas and a linter", SLIGHT,
           needs=("python3-jsonschema", "python3-venv", "python3-yaml", "shellcheck")),
    _suite("library", "programs with CrossPromoKit: how often they wake, and under other main loops", has_program=True),
    _suite("hostile", "clients that do everything wrong", HALF, needs=("netcat-openbsd", "util-linux")),
    _suite("networks", "networks that come and go or lead nowhere", needs=("iproute2",)),
    Stage("fuzz", "a short turn of each fuzzer", ("nice", "-n", "19", "packaging/fuzz", "0.1"), REST, behind=("build",)),
    Stage("allocations", "a list takes no allocation",
          ("Tests/System/compare", "--only", "allocations", "--rounds", "1", "--seconds", "0.5", "--allocations", "0.01", "--daemon", RELEASE),
          SLIGHT, ("package",), ("gcc", "libc6-dev")),
]
