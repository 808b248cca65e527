import ArgumentParser
import CrossPromoKit
import Dispatch
import Glibc
import PromoProcess
import PromoWire

struct Events: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Follow impressions, taps and changes of the catalog, a line each.",
        discussion: """
            Goes on until it is interrupted, across restarts of promod. With --json each line is the event of the protocol; \
            its seq, given to --since, shows what came after it, as long as promod holds it: the last 1,024, until it restarts.

            Example: promoctl events tap impression --host finebill
            """)

    @Argument(
        help: "Only these kinds: impression, tap, catalog.", completion: .list(EventKind.allCases.map(\.rawValue)))
    var kinds: [EventKind] = []

    @OptionGroup var host: HostOption

    @Option(help: ArgumentHelp("Begin after the event of this number.", valueName: "seq"))
    var since: Int?

    @Option(
        help: ArgumentHelp("The start of promod in which --since was counted; by default this one.", valueName: "name"))
    var epoch: String?

    @OptionGroup var options: CommonOptions

    func validate() throws {
        guard since ?? 0 >= 0 else { throw ValidationError("--since takes a number of 0 or more.") }
        guard epoch == nil || since != nil else { throw ValidationError("--epoch belongs to --since.") }
    }

    func run() throws {
        var parameters = SubscribeParameters(events: kinds.isEmpty ? nil : kinds, host: host.host, since: since)
        parameters.epoch =
            try epoch
            ?? since.map { _ in
                try options.status().process.epoch
            }
        let interruption = Interruption()
        Self.fireWhenNobodyReads(interruption)
        do {
            try follow(EventFollower(options.client, parameters, start: .now, interruption: interruption))
        } catch let error as PromoError where error.code == .cancelled {
            // Whoever read had enough.
        }
    }

    /// The reader of a pipe may go away long before there is something to write that would tell.
    private static func fireWhenNobodyReads(_ interruption: Interruption) {
        DispatchQueue(label: "promoctl.reader").async {
            var poller = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
            while poll(&poller, 1, -1) < 0 && errno == EINTR {}
            interruption.fire()
        }
    }

    private func follow(_ follower: consuming EventFollower) throws {
        var isLost = false
        while true {
            switch try follower.next() {
            case .event(let event):
                if options.json { try Output.json(event.json) } else { try Output.line(event.line) }
            case .lost(let error):
                let what = error.code == .connectionLost ? "promod has ended the connection." : error.message.printable
                if !isLost { Output.note("promoctl: \(what) Waiting for it to come back.") }
                isLost = true
            case .subscribed(let result, let isAnotherStart):
                if isLost { Output.note("promoctl: promod is back\(isAnotherStart ? ", started anew" : "").") }
                note(missed: result, isFirst: !isLost)
                isLost = false
            }
        }
    }

    private func note(missed result: SubscribeResult, isFirst: Bool) {
        if let missed = result.missed, missed > 0 {
            Output.note("promoctl: \(missed) events are held no longer and are missed here.")
        } else if isFirst, result.missed != nil, let since, since > result.seq {
            Output.note(
                "promoctl: --since \(since) is beyond the last event, \(result.seq): it belongs to another start of promod."
            )
        } else if result.missed == nil && isFirst {
            Output.note("promoctl: --since belongs to another start of promod; all that is held follows.")
        }
    }
}

extension EventKind: ExpressibleByArgument {}

extension FollowedEvent {
    /// The event as a line for people.
    fileprivate var line: String {
        let time = LocalTime.text(seconds: Int(at.milliseconds / 1000))
        func told(_ what: String, _ app: String, _ host: String?) -> String {
            "\(time)  \(what)  \(app.printable)\(host.map { " in \($0.printable)" } ?? "")"
        }
        switch kind {
        case .impression(let app, let host): return told("impression", app, host)
        case .tap(let app, let host): return told("tap       ", app, host)
        case .catalog(let state, let generation):
            return told("catalog   ", state.rawValue + (generation.map { ", generation \($0)" } ?? ""), nil)
        }
    }
}
