import ArgumentParser
import CrossPromoKit
import Glibc
import PromoSystem
import PromoWire

struct Logs: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show promod's log: what it fetched, what went wrong, and with --explain what to do about it.",
        discussion: """
            Runs journalctl with the unit of the promod that answers, or with promod.service if none does. If that promod was \
            started by hand, the command says so, and exits with 1.

            Example: promoctl logs --since 2h --explain

            Example: promoctl logs --follow
            """)

    @Flag(name: .shortAndLong, help: "Show new lines as they come, until interrupted.")
    var follow = false

    @Option(
        help: ArgumentHelp(
            "Show only what is not older: a duration such as 90s, 5m, 2h, 3d or 1h30m, or a time as journalctl takes it.",
            valueName: "time"))
    var since: String?

    @Flag(name: [.customShort("x"), .long], help: "Explain each message that may need action, and what to do.")
    var explain = false

    @OptionGroup var daemon: SocketOption

    func run() throws {
        let status = try? daemon.client.ask(.status, reading: StatusResult.init)
        if status == nil { Output.note("promod does not answer; this is what the unit promod.service has logged.") }
        var unit: String? = "promod.service"
        if let pid = status?.process.pid { unit = Self.unit(ofProcess: pid) }
        guard let unit else {
            throw Failure(
                .no, "promod was not started by systemd, and logs to the standard error that it was started with.")
        }
        var command = ["journalctl", "--user", "--unit", unit]
        if follow { command.append("--follow") }
        if explain { command.append("--catalog") }
        if let since { command.append("--since=" + (Duration(configured: since) == nil ? since : "-\(since)")) }
        do {
            let code = try Subprocess(command, output: .inherited).wait() ?? EX_SOFTWARE
            if code != 0 { throw Failure(code: code) }
        } catch let error as Subprocess.Failure {
            throw Failure(.unreachable, "\(error). The log is in systemd's journal, which only journalctl shows.")
        }
    }

    /// The unit that started a process; nil if systemd did not.
    private static func unit(ofProcess pid: Int) -> String? {
        let group = OtherProcess.text("cgroup", of: pid) ?? ""
        let last = group.split(whereSeparator: { $0 == "\n" || $0 == "/" }).last.map(String.init) ?? ""
        return last.hasSuffix(".service") && !last.hasPrefix("user@") ? last : nil
    }
}
