import ArgumentParser
import CrossPromoKit
import PromoSystem
import PromoWire

struct Wait: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Wait until promod is running and serves a catalog.",
        discussion: "Example: promoctl wait --timeout 10s && promoctl list")

    @Option(help: ArgumentHelp("Maximum time to wait.", valueName: "duration"))
    var timeout = "60s"

    @OptionGroup var catalog: CatalogOption
    @OptionGroup var options: CommonOptions

    func run() throws {
        // Even "--timeout 0s" leaves time for one request.
        let deadline = Deadline.after(max(try Duration(timeout, of: "--timeout"), .milliseconds(100)))
        let answer = try Progress.during("Waiting for a catalog") { try wait(until: deadline) }
        if options.json { try Output.json(answer) }
    }

    private func wait(until deadline: Deadline) throws -> JSONValue {
        // The subscription comes before the first `list`, so that no change is missed between the two.
        let interruption = Interruption()
        var subscriber = EventSubscriber(
            options.client, SubscribeParameters(events: [.catalog]), waitsForDaemon: true, interruption: interruption)
        var last = "promod was not running."
        while !deadline.hasPassed {
            switch try subscriber.next(until: deadline) {
            case .lost(let error) where error.code != .refused:
                last = error.message
            // If all subscriptions are taken, each attempt to subscribe is followed by a `list`.
            case .subscribed, .event, .lost:
                guard let answer = try list(&last) else { continue }
                let state = answer.state
                if state == .fresh || state == .expired { return answer }
                last =
                    answer["emptyBecause"]?.isString(Emptiness.notConfigured.rawValue) == true
                    ? Unconfigured.text
                    : "promod is running and has nothing to serve yet (\(state?.rawValue ?? "")); \"\(catalog.command("status"))\" says why."
            case nil: break
            }
        }
        throw CommandFailure(.tryLater, "No catalog within \(timeout). \(last)")
    }

    /// Asks for the list; nil, with the reason, if promod has ended meanwhile.
    private func list(_ reason: inout String) throws -> JSONValue? {
        do throws(PromoError) {
            return try options.client.ask(.list(ListParameters(limit: 1)), of: catalog.reference)
        } catch {
            guard error.code != .refused else { throw error }
            reason = error.message
            return nil
        }
    }
}
