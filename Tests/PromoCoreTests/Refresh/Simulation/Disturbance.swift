/// Events that disturb a daemon.
enum Disturbance: String, CaseIterable, Sendable {
    case suspend, clockSetForward, clockSetBack, restart, crash, networkAppears, refreshByHand, clear, reload
    case anotherOrigin

    /// The disturbances after which the machine makes a new plan, for which it knows only the wall clock.
    static let replanning: [Disturbance] = [.restart, .crash, .networkAppears, .clear, .reload, .anotherOrigin]
}
