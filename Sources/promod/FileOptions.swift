import ArgumentParser
import PromoDaemon

/// Where the daemon keeps what a subcommand reads or writes, if that is elsewhere than the command's own environment says.
struct FileOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The user's configuration file, instead of the one that this environment names.", valueName: "path"),
        completion: .file())
    var file: String?

    @Option(
        help: ArgumentHelp(
            "The daemon's cache directory, instead of the one that this environment names.", valueName: "path"),
        completion: .directory)
    var cache: String?
}
