import Dispatch
import PromoCore
import PromoWire

/// Group commit: commands that arrive together share one reading of the configuration, one diagnosis or one write of the history.
extension ControlPlane {
    struct CommitGroup {
        var reloads: [Command.Completion] = []
        var diagnoses: [Command.Completion] = []
        var reviews: [(result: any MethodResult, completion: Command.Completion)] = []

        /// Whether a grant is among the reviews, for which the history is written at once.
        var hasGrant = false
        /// Whether ``commit()`` follows the commands that were handed over before.
        var isScheduled = false
        /// Whether ``commit()`` follows when the pace of writes allows the next one.
        var isDelayed = false
        var pace = WritePace()
    }

    /// Adds a command to the group.
    func join(_ add: (inout CommitGroup) -> Void) {
        add(&group)
        commitSoon()
    }

    /// Commits after the commands that were handed over before.
    func commitSoon() {
        guard !group.isScheduled else { return }
        group.isScheduled = true
        perform { plane in
            plane.group.isScheduled = false
            plane.commit()
        }
    }

    /// Carries out what the group waits for, and answers its commands.
    func commit() {
        let (reloads, diagnoses) = (group.reloads, group.diagnoses)
        (group.reloads, group.diagnoses) = ([], [])
        if !reloads.isEmpty {
            let reply = reloaded()
            for completion in reloads { completion(reply) }
        }
        if !diagnoses.isEmpty {
            let reply = Command.Reply.result(DiagnoseResult(diagnose()))
            for completion in diagnoses { completion(reply) }
        }
        commitReviews()
    }

    private func commitReviews() {
        guard !group.reviews.isEmpty || reviews.isBehind else { return }
        let delay = group.pace.take(now: effects.uptime())
        if delay > 0, !group.hasGrant, life == .running { return commitLater(in: delay) }
        let answers = group.reviews
        (group.reviews, group.hasGrant) = ([], false)
        var failure: RequestError?
        do { try reviews.store() } catch { failure = error }
        publish()
        for (result, completion) in answers {
            completion(failure.map(Command.Reply.refused) ?? .result(result))
        }
    }

    private func commitLater(in delay: Milliseconds) {
        guard !group.isDelayed else { return }
        group.isDelayed = true
        executor.queue.asyncAfter(
            deadline: .now() + .milliseconds(Int(delay)),
            execute: callback { plane in
                plane.group.isDelayed = false
                plane.commit()
            })
    }

    private func reloaded() -> Command.Reply {
        guard case .running = life else { return .refused(Self.notRunning) }
        do { return .result(try reload()) } catch { return .refused(error) }
    }
}
