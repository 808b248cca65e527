/// The stable words for what can be wrong: why a fetch failed, and what else a person may have to know or fix.
package enum ProblemCode: String, Word {
    case dns, connect, proxy
    /// There is no TLS with the origin.
    case tls
    /// The certificate comes from an authority that this machine does not know.
    case untrusted
    /// The certificate is not valid at the time of this machine's clock.
    case certificateTime = "certificate-time"
    /// Anything else is wrong with the certificate: its name, its purpose, its key or its signature.
    case certificate
    case timeout
    /// The origin says that there is nothing at the address.
    case notFound = "not-found"
    /// The origin asks to come later, or has failed itself.
    case unavailable
    case httpStatus = "http-status"
    case redirect
    case tooLarge = "too-large"
    case encoding, json, schema
    /// promod ended during the fetch.
    case interrupted
    /// The process that fetches could not do its work; the network is not to blame.
    case fetchProcess = "fetch-process"
    /// A file in the cache cannot be read or written.
    case storage
    /// What is served is older than the interval of refreshes.
    case expired
    /// The origin redirects permanently.
    case moved
    case configuration
    case catalogFile = "catalog-file"
    /// Files on disk are newer than what is in force.
    case changedFiles = "changed-files"
    case watches
    case directory
    case diskFull = "disk-full"
    case reviews
    case clock
    case limit

    /// Whether it is about the age of a catalog, and may pass without a person.
    package var isOfFetch: Bool {
        switch self {
        case .dns, .connect, .proxy, .tls, .untrusted, .certificateTime, .certificate, .timeout, .notFound,
            .unavailable,
            .httpStatus, .redirect, .tooLarge, .encoding, .json, .schema, .interrupted, .fetchProcess, .expired,
            .moved:
            true
        case .storage, .configuration, .catalogFile, .changedFiles, .watches, .directory, .diskFull,
            .reviews, .clock, .limit:
            false
        }
    }

    /// Whether the same request of an address may succeed later, without a change of anything.
    package var mayPass: Bool {
        switch self {
        case .dns, .connect, .proxy, .timeout, .unavailable, .httpStatus, .storage, .interrupted, .fetchProcess: true
        default: false
        }
    }

    /// What a person can do about an address that no drop-in has yet.
    package var adviceBeforeSetup: String { advice(for: AdvisedCatalog(isSetUp: false)) }

    /// What a person can do, in a sentence or two. No step that lowers security comes first, and no command changes another catalog.
    package func advice(for catalog: AdvisedCatalog) -> String {
        switch self {
        case .dns where !catalog.isOnline, .connect where !catalog.isOnline:
            "This machine is offline. promod fetches the catalog when it has a route to the internet."
        case .dns:
            "Check whether this machine is online, and the host in the catalog's address."
        case .connect:
            "Check whether this machine is online, and whether the origin runs."
        case .proxy:
            "Check the proxy: \(catalog.key("proxy")), else \(catalog.file == nil ? "" : "network.proxy in config.toml, else ")https_proxy in promod's environment."
        case .tls: "Check the catalog's address and the origin's TLS; an intermediary may be answering in its place."
        case .untrusted:
            "If this network has a sign-in page, as in a hotel, open a browser and sign in. Otherwise ask the publisher which authority "
                + "signs the certificate; a private one of your own is set by \(catalog.key("ca-file"))."
        case .certificateTime:
            "Check this machine's clock (timedatectl). If it is right, the publisher has to renew the certificate."
        case .certificate: "The publisher has to replace the certificate; also check the host in the catalog's address."
        case .timeout:
            "The origin or the network is slow. A longer limit is refresh.timeout."
        case .notFound:
            "The catalog was moved or removed, or its address is wrong: open it in a browser, ask the publisher, and then \(catalog.setup)"
        case .unavailable: "Wait: the origin is overloaded or out of order."
        case .httpStatus: "Open the catalog's address in a browser, or ask the publisher who may read it."
        case .redirect: "With the https address at which the redirects end, \(catalog.setup)"
        case .tooLarge: "The publisher has to make the catalog smaller."
        case .encoding: "The publisher has to send the catalog as it is, or compressed by gzip."
        case .json:
            "If this network has a sign-in page, open a browser and sign in. Otherwise the publisher has to fix the catalog; "
                + "\(catalog.validation) shows where it stops being JSON."
        case .schema:
            "The publisher has to fix the catalog; \(catalog.validation) lists every finding."
        case .interrupted:
            "Look for the reason in the log (journalctl --user -u promod); a large catalog may need a higher MemoryMax."
        case .fetchProcess: "Look for the reason in the log (journalctl --user -u promod)."
        case .storage:
            "Free space on the disk, or repair the permissions of the directory, and then: promoctl refresh\(catalog.option)"
        case .expired:
            catalog.isOnline
                ? "Nothing: promod fetches it when an app requests the list. To fetch it now: promoctl refresh\(catalog.option)"
                : "Nothing: promod fetches it when this machine is online again and an app requests the list."
        case .moved:
            catalog.isOfPackage
                ? "The next version of the package with \(catalog.file ?? "it") may have the new address. Until then, \(catalog.setup)"
                : "With the new address, \(catalog.setup)"
        case .configuration, .changedFiles: "Fix the file if it is broken, and then: promoctl reload"
        case .catalogFile: "Fix the file; promod reads it again by itself."
        case .watches:
            "Raise fs.inotify.max_user_watches and max_user_instances; until then, run \"promoctl refresh\" after a change."
        case .directory:
            "Repair the directory or its permissions (ls -ld shows them), and then: systemctl --user restart promod"
        case .diskFull: "Free space on the disk."
        case .reviews: "Repair the file or its permissions; a history that was set aside can be removed."
        case .clock: "Set the clock, for example by: timedatectl set-ntp true"
        case .limit:
            "Remove what is not needed. The limit of connections is socket.max-connections in config.toml; that of catalogs is fixed."
        }
    }
}

extension Growing<ProblemCode> {
    /// Whether it is about the age of a catalog; false for a code that this version does not know.
    package var isOfFetch: Bool { known?.isOfFetch ?? false }
}

/// A catalog as advice names it.
package struct AdvisedCatalog: Sendable {
    package var name = CatalogReference.defaultName
    /// The path of its file; nil if the command line has its address.
    package var file: String?
    /// Whether the drop-in came with a package.
    package var isOfPackage = false
    /// The address that is in force; nil if a part of it must not be shown.
    package var address: String?
    package var isOnline = true
    /// Whether promod keeps it; else it is being set up.
    private let isSetUp: Bool

    /// The default catalog, of no file.
    package init(isSetUp: Bool = true) { self.isSetUp = isSetUp }

    /// The option of promoctl that names it.
    var option: String { name == CatalogReference.defaultName ? "" : " --catalog \(name)" }

    /// Where a key of it is set.
    func key(_ name: String) -> String {
        file.map { "\"\(name)\" in \($0)" } ?? (isSetUp ? "network.\(name) in config.toml" : "--\(name)")
    }

    /// How it gets another address, as the end of a sentence.
    var setup: String {
        file.map { "\(isOfPackage ? "override" : "replace") \($0) with: promoctl setup ADDRESS\(option)" }
            ?? (isSetUp
                ? "start promod with another address in --catalog-url." : "give the right one.")
    }

    var validation: String { address.map { "\"promoctl validate \($0)\"" } ?? "\"promoctl validate\" with its address" }
}

/// Something that a person may have to know or fix, as `status` reports it.
package struct Problem: JSONObject, Equatable {
    /// What is wrong, which programs may test for.
    package var code = Growing(ProblemCode.interrupted)
    /// What it is about: a path, an address, or a word such as "clock".
    package var subject = ""
    /// What is wrong, in a sentence.
    package var text = ""
    /// What a person can do, in a sentence.
    package private(set) var advice = ""
    /// Since when; as far as this run of the daemon knows.
    package var since = Timestamp(seconds: 0)
    /// The name of the catalog that it is about; nil if it is about none, or about all.
    package var catalog: String?

    mutating func visitMembers(_ member: inout MemberVisitor) {
        member("code", &code, "what is wrong, for programs to test")
        member("subject", &subject, "what it is about: a path, an address or a word")
        member("text", &text, "what is wrong, in a sentence for people")
        member("advice", &advice, "what a person can do, in a sentence")
        member("since", &since, "since when; from the daemon's start if it does not know better")
        member.ifPresent("catalog", &catalog, "the name of the catalog that it is about; left out if it is about none")
    }

    init() {}

    /// Creates a problem from its parts; `text` becomes a sentence.
    package init(
        _ code: ProblemCode, _ subject: String, _ text: String, since: Timestamp = Timestamp(seconds: 0),
        catalog: String? = nil, about advised: AdvisedCatalog? = nil
    ) {
        self.init(Growing(code), subject, text, since: since, catalog: catalog, about: advised)
    }

    /// Creates a problem from its parts; `text` becomes a sentence.
    /// - Parameter advised: the catalog that it is about, as the advice names it; `catalog` names one without advice of its own.
    package init(
        _ code: Growing<ProblemCode>, _ subject: String, _ text: String, since: Timestamp = Timestamp(seconds: 0),
        catalog: String? = nil, about advised: AdvisedCatalog? = nil
    ) {
        (self.code, self.subject, self.text) = (code, subject.printable, text.printable.sentence)
        (self.since, self.catalog) = (since, advised?.name ?? catalog)
        advice = code.known?.advice(for: advised ?? AdvisedCatalog()).printable ?? ""
    }
}

/// Why a fetch failed, or why the fetched catalog could not be stored.
package struct Failure: JSONObject, Error, Equatable {
    /// The kind of failure, which programs may test for.
    package private(set) var code = Growing(ProblemCode.interrupted)
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
    package init(_ code: ProblemCode, _ message: String) { self.init(Growing(code), message) }

    /// Creates a failure, and cuts a message that is too long.
    package init(_ code: Growing<ProblemCode>, _ message: String) {
        self.init()
        (self.code, limited) = (code, message)
    }
}
