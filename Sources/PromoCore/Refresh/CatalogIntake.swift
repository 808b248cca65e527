package import PromoWire

/// What an origin's reply makes of the catalog at hand.
package enum CatalogIntake: Sendable {
    /// Other bytes, which are a good catalog.
    case updated(HeldCatalog)
    /// The same bytes, confirmed.
    case unchanged(HeldCatalog)
    /// Nothing: what was there is kept.
    case failed(Failure)

    /// Holds a reply against the catalog's rules.
    package init(_ reply: OriginReply, held: HeldCatalog?, from url: HTTPSURL, now: Timestamp) {
        switch reply {
        case .failed(let failure, _, _):
            self = .failed(failure)
        case .notModified(let validators):
            self = Self.confirmed(held, validators, from: url, now: now)
        case .body(let bytes, let validators):
            let contents = CatalogContents(bytes, of: url, validators: validators, at: now)
            if var same = held, same.contents?.header.sha256 == contents.header.sha256 {
                same.contents = contents
                self = .unchanged(same)
                return
            }
            do {
                let next = try HeldCatalog(contents, isStored: false)
                // The sample's bytes may be published by somebody.
                self = next.generation == held?.generation ? .unchanged(next) : .updated(next)
            } catch {
                self = .failed(error.failure)
            }
        }
    }

    /// How the fetch ended that brought the reply, for the refresh machine.
    package func end(
        of reply: OriginReply, isOnline: () -> Bool, now: Timestamp
    ) -> FetchEnd {
        switch self {
        case .updated: return .updated
        case .unchanged: return .unchanged
        case .failed(let failure):
            let isUnreachable = failure.code == .dns || failure.code == .connect
            return .failed(
                failure, retryAfter: reply.retryAfter.flatMap { RetryAfter.delay($0, now: now) },
                isOffline: isUnreachable && !isOnline())
        }
    }

    private static func confirmed(
        _ held: HeldCatalog?, _ validators: Validators, from url: HTTPSURL, now: Timestamp
    ) -> CatalogIntake {
        guard var same = held, same.contents != nil else {
            return .failed(
                Failure(.httpStatus, "\(url) answers 304, unchanged, and there is nothing to keep."))
        }
        same.contents?.header.fetchedAt = now
        // The validators stay those that came with the bytes. A 304 under another ETag speaks of other bytes, and the
        // next fetch asks without conditions.
        if let etag = validators.etag, !same.hasETag(etag) { same.contents?.header.validators = Validators() }
        return .unchanged(same)
    }
}
