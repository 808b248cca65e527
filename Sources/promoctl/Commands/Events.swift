import ArgumentParser
import CrossPromoKit
import Dispatch
import Glibc
import PromoSystem
import PromoWire

struct Events: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print events as they happen, one per line.",
        discussion: """
            Runs until it is interrupted, and reconnects when promod restarts. promod keeps the last 1,024 events, until it \
            restarts.

            Example: promoctl events tap impression --host finebill
            """)

    @Argument(
        help: "Only these kinds: \(EventKind.allCases.map(\.rawValue).joined(separator: ", ")).",
        completion: .list(EventKind.allCases.map(\.rawValue)))
    var kinds: [EventKind] = []

    @OptionGroup var host: HostOption

    @Option(help: ArgumentHelp("Begin after the event with this number.", valueName: "seq"))
    var since: Int?

    @OptionGroup var catalog: CatalogOption
    @OptionGroup var options: CommonOptions

    func validate() throws {
        guard since ?? 0 >= 0 else { throw ValidationError("--since must be 0 or more.") }
    }

    func run() throws {
        var parameters = SubscribeParameters(events: kinds.isEmpty ? nil : kinds, host: host.host, since: since)
        parameters.epoch = try since.map { _ in try options.status().epoch }
        let interruption = Interruption()
        Self.fireWhenNobodyReads(interruption)
        do {
            try show(
                EventSubscriber(
                    options.client, parameters, of: catalog.reference, waitsForDaemon: false,
                    interruption: interruption))
        } catch let error as PromoError where error.code == .cancelled {
            // The reader of the output has gone away.
        }
    }

    /// Ends the command when the reader of the pipe goes away; a failed write would show that only at the next event.
    private static func fireWhenNobodyReads(_ interruption: Interruption) {
        DispatchQueue(label: "promoctl.reader").async {
            var poller = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
            // The kernel changes the one poller.
            while unsafe poll(&poller, 1, -1) < 0 && errno == EINTR {}
            interruption.fire()
        }
    }

    private func show(_ subscriber: consuming EventSubscriber) throws {
        var isLost = false
        while let occurrence = try subscriber.next() {
            switch occurrence {
            case .event(let event, let json):
                if options.json { try Output.json(json) } else { try Output.line(event.text) }
            case .lost(let error):
                let what = error.code == .connectionLost ? "promod closed the connection." : error.message.printable
                if !isLost { Output.note("promoctl: \(what) Waiting for it to come back.") }
                isLost = true
            case .subscribed(let result, let asked):
                note(asked, result, isLost)
                isLost = false
            }
        }
    }

    /// Says what the reader of the events cannot know: that promod is back, and that events were missed.
    private func note(_ asked: SubscribeParameters, _ result: SubscribeResult, _ wasLost: Bool) {
        let isAnotherStart = asked.epoch != nil && asked.epoch != result.epoch
        if wasLost { Output.note("promoctl: promod is back\(isAnotherStart ? " after a restart" : "").") }
        guard let since = asked.since, !isAnotherStart, since < result.since else { return }
        Output.note(
            "promoctl: Some events after \(since) were missed, because promod keeps only those after \(result.since).")
    }
}

extension EventKind: ExpressibleByArgument {}

extension Event {
    /// The event as a line for people.
    fileprivate var text: String {
        let time = LocalTime.text(seconds: Int(at.milliseconds / 1000))
        let isDefault = catalog == CatalogReference.defaultName
        let place = isSample ? " (sample)" : isDefault ? "" : " (catalog \(catalog.printable))"
        let what =
            switch kind {
            case .impression, .tap: app.printable + (host.map { " in \($0.printable)" } ?? "")
            case .catalog: state.rawValue + (generation.map { ", generation \($0.printable)" } ?? "")
            case .icons: "\(stored) fetched"
            }
        return "\(time)  \(kind.rawValue.fitted(to: 10))  \(what)\(place)"
    }
}
