/// What happens to a daemon in a month.
enum Disturbance: String, CaseIterable, Sendable {
    case suspend, clockSetForward, clockSetBack, restart, crash, networkAppears, refreshByHand, list, clear, reload
    case anotherOrigin

    /// Those after which the machine plans anew by the wall clock alone.
    static let replanning: [Disturbance] = [.restart, .crash, .networkAppears, .clear, .reload, .anotherOrigin]
}
