/// Why a fetch failed, or why the fetched catalog could not be stored.
package struct Failure: JSONObject, Error, Equatable {
    /// The kind of failure: the stable words of `error.code`.
    package enum Code: String, Word {
        case dns, connect, proxy, tls, timeout
        case httpStatus = "http-status"
        case redirect
        case tooLarge = "too-large"
        case encoding, json, schema, storage
        /// promod ended during the fetch.
        case interrupted

        package static let title = "FailureCode"
    }

    /// The kind of failure, which programs may test for.
    package private(set) var code = Code.interrupted
    /// A sentence for people: what happened, to what, and what to do. It never shows a URL's user, password or query.
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
    package init(_ code: Code, _ message: String) {
        self.init()
        (self.code, limited) = (code, message)
    }

    /// The message, and what a person can do.
    package var advised: String { "\(message.sentence) \(advice)" }

    /// What a person can do about it, as a sentence.
    package var advice: String {
        message.hasPrefix(Self.fetchingProcess)
            ? "What to do: look for more in promod's log (journalctl --user -u promod)." : code.advice
    }

    /// The subject of messages about the fetching process itself, for which the network is not to blame.
    package static let fetchingProcess = "The process that fetches"
}

extension Failure.Code {
    /// What a person can do about a failed fetch, as a sentence.
    package var advice: String { "What to do: \(words)" }

    private var words: String {
        switch self {
        case .dns: "check the host in the address, the network, and this machine's name resolution (/etc/resolv.conf)."
        case .connect: "check the network, and whether the origin runs."
        case .proxy:
            "check the proxy: proxy in the catalog's file, or network.proxy, or else https_proxy in the service's environment."
        case .tls:
            "check the origin's certificate and this machine's clock; a private authority belongs in ca-file."
        case .timeout: "the origin is slow or unreachable; try again later, or raise refresh.timeout."
        case .httpStatus:
            "open the address in a browser; if the catalog has moved: promoctl setup with the new address."
        case .redirect: "give promod the https address at which the redirects end: promoctl setup."
        case .tooLarge: "make the catalog smaller."
        case .encoding: "make the origin send the catalog as it is, or compressed by gzip or deflate."
        case .json, .schema: "fix the catalog; \"promod validate\" with its address lists every finding."
        case .storage:
            "free space or fix the permissions of the cache directory; the catalog is served from memory meanwhile."
        case .interrupted:
            "look for the reason in promod's log (journalctl --user -u promod); a large catalog may need a higher MemoryMax."
        }
    }
}
