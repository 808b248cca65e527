package import PromoWire

/// The result of applying an origin's reply to the served catalog.
package enum CatalogIntake: Sendable {
    /// The reply is a valid catalog of another generation.
    case updated(HeldCatalog)
    /// The reply is, or confirms, the served catalog.
    case unchanged(HeldCatalog)
    /// The reply is a valid catalog that lacks too many apps; the served one stays.
    case heldBack(HeldBack, Failure)
    /// The reply is not a valid catalog, or was signed before one that was accepted; the served one stays.
    case failed(Failure)

    /// Validates a reply and compares it with the served catalog, `held`.
    /// - Parameters:
    ///   - age: the time since the origin sent the reply.
    ///   - signatures: the signatures accepted before.
    package init(
        _ reply: OriginReply, age: Duration = .zero, held: HeldCatalog?, from url: HTTPSURL, trust: CatalogTrust,
        signatures: SignatureBook = SignatureBook(), rule: HoldBackRule, now: Timestamp
    ) {
        switch reply {
        case .failed(let failure, _, _):
            self = .failed(failure)
        case .notModified(let validators, _):
            self = Self.confirmed(held, validators, age, from: url, now: now)
        case .body(let bytes, let validators, _):
            var contents = CatalogContents(bytes, of: url, validators: validators, at: now)
            contents.header.age = age
            do throws(CatalogError) {
                self = try Self.read(contents, held, from: url, trust, signatures, rule, now: now)
            } catch {
                self = .failed(error.failure)
            }
        }
        if case .unchanged(let same) = self, let failure = signatures.refusal(of: same, trust: trust, now: now) {
            self = .failed(failure)
        }
    }

    private static func read(
        _ contents: CatalogContents, _ held: HeldCatalog?, from url: HTTPSURL, _ trust: CatalogTrust,
        _ signatures: SignatureBook, _ rule: HoldBackRule, now: Timestamp
    ) throws(CatalogError) -> CatalogIntake {
        let age = contents.header.age
        if var same = held, same.contents?.header.sha256 == contents.header.sha256 {
            same.confirm(age: age, now: now)
            let known = same.contents?.header.age ?? age
            same.contents = contents
            same.contents?.header.age = known
            return .unchanged(same)
        }
        let next = try HeldCatalog(contents, isStored: false, trust: trust)
        if let failure = signatures.refusal(of: next, trust: trust, now: now) { return .failed(failure) }
        if var same = held, let signature = same.signature, signature == next.signature {
            // Only a byte order mark, which is not signed, came or went.
            same.confirm(age: age, now: now)
            same.contents?.header.validators = contents.header.validators
            return .unchanged(same)
        }
        if let held, held.contents != nil,
            let loss = rule.heldBack(next.catalog, for: held.catalog, age: age, now: now)
        {
            return .heldBack(loss, failure(loss.status, held.catalog, from: url))
        }
        // An origin may publish the very bytes of the sample.
        return next.generation == held?.generation ? .unchanged(next) : .updated(next)
    }

    /// The catalog to store and serve; nil if the served one stays as it is.
    package var accepted: HeldCatalog? {
        switch self {
        case .updated(let catalog), .unchanged(let catalog): catalog
        case .heldBack, .failed: nil
        }
    }

    /// How the fetch of the reply ended, for the refresh machine.
    package func end(
        of reply: OriginReply, isOnline: () -> Bool, now: Timestamp
    ) -> FetchEnd {
        switch self {
        case .updated: return .updated
        case .unchanged: return .unchanged
        case .heldBack(let loss, let failure): return .heldBack(loss, failure)
        case .failed(let failure):
            let isUnreachable = [.dns, .connect, .proxy].contains(failure.code)
            return .failed(
                failure, retryAfter: reply.retryAfter(now: now),
                isOffline: isUnreachable && !isOnline(), isGone: [404, 410].contains(reply.httpStatus))
        }
    }

    private static func failure(_ loss: HeldBackStatus, _ held: PreparedCatalog, from url: HTTPSURL) -> Failure {
        Failure(
            .shrunk,
            "The catalog at \(url.brief) lacks \(loss.lost) of the \(held.count) apps that are served, so it is held back until a "
                + "second fetch shows the same; \"promoctl refresh --accept\" takes it now.")
    }

    private static func confirmed(
        _ held: HeldCatalog?, _ validators: Validators, _ age: Duration, from url: HTTPSURL, now: Timestamp
    ) -> CatalogIntake {
        guard var same = held, same.contents != nil else {
            return .failed(
                Failure(.httpStatus, "\(url) answers 304 (not modified), but no catalog from it is cached."))
        }
        same.confirm(age: age, now: now)
        // The validators stay those that came with the bytes. A 304 with another ETag is about other bytes, so the next fetch is
        // unconditional.
        if let etag = validators.etag, !same.hasETag(etag) {
            same.contents?.header.validators = Validators(address: validators.address)
        }
        return .unchanged(same)
    }
}

/// How a fetch ended, for the refresh machine.
package enum FetchEnd: Sendable {
    case updated
    case unchanged
    case heldBack(HeldBack, Failure)
    /// `isOffline`: name resolution or the connection failed while there was no route, so the failure does not count.
    /// `isGone`: the origin answered 404 or 410.
    case failed(Failure, retryAfter: Duration?, isOffline: Bool, isGone: Bool = false)
}
