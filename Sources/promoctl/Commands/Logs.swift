import ArgumentParser
import CrossPromoKit
import Glibc
import PromoProcess
import PromoWire

struct Logs: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show promod's log: what it fetched, what went wrong, and with --explain what to do about it.",
        discussion: """
            Runs journalctl with the unit of the promod that answers, or with promod.service if none does. If that promod was \
            started by hand and does not log to the journal, the command says where its log is, and exits with 1.

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
        let place = status.map { LogPlace(ofProcess: $0.process.pid) } ?? .unit("promod.service")
        let matches: [String]
        switch place {
        case .unit(let unit): matches = ["--user", "--unit", unit]
        case .journal(let pid): matches = ["_PID=\(pid)"]
        case .elsewhere(let explanation): throw Failure(.no, explanation)
        }
        var command = ["journalctl"] + matches
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
}
