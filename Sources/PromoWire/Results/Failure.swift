/// Why a fetch failed, or why the fetched catalog could not be stored.
package struct Failure: JSONObject, Error, Equatable {
    /// The kind of failure, which programs may test for.
    package private(set) var code = ProblemCode.interrupted
    /// A sentence for people: what happened, and to what. It never shows a URL's user, password or query.
    ///
    /// It is printable and has at most ``maximumLength`` Unicode scalars, because much of it may come from the origin, and it appears
    /// in replies, in the log, in the service manager's status and on disk.
    package private(set) var message = ""

    /// The maximum length of a message, in Unicode scalars.
    package static let maximumLength = 500

    private var limited: String {
        get { message }
        set { message = newValue.printable.elided(to: Self.maximumLength) }
    }

    mutating func visitMembers(_ member: inout MemberVisitor) {
        member("code", &code, "the kind of failure, for programs to test")
        member("message", &limited, "a sentence for people")
    }

    init() {}

    /// Creates a failure, and cuts a message that is too long.
    package init(_ code: ProblemCode, _ message: String) {
        self.init()
        (self.code, limited) = (code, message)
    }

    /// The message, and what a person can do.
    package var advised: String { "\(message.sentence) \(code.advice.sentence)" }
}
