import Dispatch
import PromoCore
import PromoWire

/// Commands that wait for the disk, together.
extension ControlPlane {
    /// Commands that wait for the disk. Those that came together wait for it once: if each of a thousand did so by itself, others would
    /// have to wait for all of that.
    struct Gathered {
        var reloads: [Command.Completion] = []
        var diagnoses: [Command.Completion] = []
        var reviews: [(result: any MethodResult, completion: Command.Completion)] = []

        /// Whether a grant waits, for which the history is written at once.
        var hasGrant = false
        /// Whether they will be answered when those that were handed over before have been carried out.
        var isPlanned = false
        /// Whether they will be answered when the history may be written again.
        var isDelayed = false
        var pace = WritePace()
    }

    /// Lets a command wait until those that were handed over before have been carried out.
    func gather(_ change: (inout Gathered) -> Void) {
        change(&gathered)
        guard !gathered.isPlanned else { return }
        gathered.isPlanned = true
        perform { plane in
            plane.gathered.isPlanned = false
            plane.answerGathered()
        }
    }

    func answerGathered() {
        let reloads = gathered.reloads
        gathered.reloads = []
        if !reloads.isEmpty {
            let reply = reloaded()
            for completion in reloads { completion(reply) }
        }
        let diagnoses = gathered.diagnoses
        gathered.diagnoses = []
        if !diagnoses.isEmpty {
            let reply = Command.Reply.result(DiagnoseResult(diagnose()))
            for completion in diagnoses { completion(reply) }
        }
        guard !gathered.reviews.isEmpty || reviews.isBehind else { return }
        let delay = gathered.pace.take(now: effects.uptime())
        if delay > 0, !gathered.hasGrant, life == .running { return answerLater(in: delay) }
        let taken = gathered
        (gathered.reviews, gathered.hasGrant) = ([], false)
        var failure: RequestError?
        do { try reviews.store() } catch { failure = error }
        publish()
        for (result, completion) in taken.reviews {
            completion(failure.map(Command.Reply.refused) ?? .result(result))
        }
    }

    private func answerLater(in delay: Milliseconds) {
        guard !gathered.isDelayed else { return }
        gathered.isDelayed = true
        executor.queue.asyncAfter(
            deadline: .now() + .milliseconds(Int(delay)),
            execute: entry { plane in
                plane.gathered.isDelayed = false
                plane.answerGathered()
            })
    }

    private func reloaded() -> Command.Reply {
        guard case .running = life else { return .refused(Self.notRunning) }
        do { return .result(try reload()) } catch { return .refused(error) }
    }
}
