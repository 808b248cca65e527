package import PromoWire

/// The result of applying an origin's reply to the catalog that is held.
package enum CatalogIntake: Sendable {
    /// The reply is a valid catalog of another generation.
    case updated(HeldCatalog)
    /// The reply is, or confirms, the catalog that is held.
    case unchanged(HeldCatalog)
    /// The reply is not a valid catalog; the one that is held stays.
    case failed(Failure)

    /// Validates a reply and compares it with the catalog that is held.
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
                // An origin may publish the very bytes of the sample.
                self = next.generation == held?.generation ? .unchanged(next) : .updated(next)
            } catch {
                self = .failed(error.failure)
            }
        }
    }

    /// How the fetch of the reply ended, for the refresh machine.
    package func end(
        of reply: OriginReply, isOnline: () -> Bool, now: Timestamp
    ) -> FetchEnd {
        switch self {
        case .updated: return .updated
        case .unchanged: return .unchanged
        case .failed(let failure):
            let isUnreachable = [.dns, .connect, .proxy].contains(failure.code)
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
                Failure(.httpStatus, "\(url) answers 304 (not modified), but no catalog from it is held."))
        }
        same.contents?.header.fetchedAt = now
        // The validators stay those that came with the bytes. A 304 with another ETag confirms other bytes, so the next fetch is
        // unconditional.
        if let etag = validators.etag, !same.hasETag(etag) { same.contents?.header.validators = Validators() }
        return .unchanged(same)
    }
}
