import ArgumentParser
import CrossPromoKit
import Glibc
import PromoSystem
import PromoWire

struct Metrics: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print figures about promod for Prometheus, in the format of OpenMetrics or its own.",
        discussion: """
            Every figure has the label "user", so that those of many users on one machine stay apart. With --textfile it replaces \
            the file promod-USER.prom in a directory, in one step and in Prometheus' format, for node_exporter's textfile \
            collector; a timer for that is in the examples of the package. If promod cannot be reached, the only figure is \
            "promod_up" with the value 0, and the exit code is 69.

            Example: promoctl metrics --format prometheus

            Example: promoctl metrics --textfile /var/lib/prometheus/node-exporter
            """)

    @Option(
        help: ArgumentHelp("The format: openmetrics by default, prometheus for a text file.", valueName: "format"))
    var format: Figures.Format?

    @Option(
        help: ArgumentHelp("Replace this file in one step, instead of printing the figures.", valueName: "file"),
        completion: .file(extensions: ["prom"]))
    var output: String?

    @Option(
        help: ArgumentHelp("Replace the file promod-USER.prom in this directory.", valueName: "directory"),
        completion: .directory)
    var textfile: String?

    @OptionGroup var daemon: SocketOption

    func validate() throws {
        guard output != "", textfile != "" else {
            throw ValidationError("--output and --textfile need a name, and not an empty text.")
        }
        guard output == nil || textfile == nil else {
            throw ValidationError("--output and --textfile each name the file to write; give one of them.")
        }
    }

    func run() throws {
        do {
            try write(daemon.client.ask(.status, reading: StatusResult.init))
        } catch let error as PromoError {
            try write(nil)
            throw error
        }
    }

    private func write(_ status: StatusResult?) throws {
        let user = UserName.current ?? "\(getuid())"
        let figures = Figures(
            status, as: format ?? (textfile == nil ? .openmetrics : .prometheus), user: user,
            residentBytes: status.flatMap { Self.residentBytes(of: $0.process.pid) }, now: .now)
        let file = textfile.map { "\($0)/promod-\(user.filter { $0 != "/" }).prom" } ?? output
        try Output.bytes(figures.bytes, to: file, replacingAnything: textfile != nil)
    }

    /// The resident memory of a process; nil if `/proc` does not say.
    private static func residentBytes(of pid: Int) -> Int? {
        let fields = OtherProcess.text("statm", of: pid)?.split(separator: " ")
        guard let fields, fields.count > 1, let pages = Int(fields[1]) else { return nil }
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }
}

extension Figures.Format: ExpressibleByArgument {}
