package import PromoWire

/// The result of applying an origin's reply to the served catalog.
package enum CatalogIntake: Sendable {
    /// The reply is a valid catalog of another generation.
    case updated(HeldCatalog)
    /// The reply is, or confirms, the served catalog.
    case unchanged(HeldCatalog)
    /// There was no good reply; the served catalog stays.
    case failed(Failure)

    /// Validates a reply and compares it with the served catalog, `held`.
    package init(_ reply: OriginReply, held: HeldCatalog?, from url: HTTPSURL, now: Timestamp) {
        switch reply {
        case .failed(let failure, _, _):
            self = .failed(failure)
        case .notModified(let validators, let age):
            self = Self.confirmed(held, validators, age, from: url, now: now)
        case .body(let bytes, let validators, let age, let encoding):
            var contents = CatalogContents(bytes, of: url, validators: validators, at: now)
            contents.header.age = age
            do throws(CatalogError) {
                self = try Self.read(contents, held, now: now)
            } catch {
                let failure = error.failure
                let label =
                    encoding.map { "The answer claims the encoding \($0.shown()), which promod did not ask for. " }
                    ?? ""
                self = .failed(Failure(failure.code, label + failure.message))
            }
        }
    }

    private static func read(
        _ contents: CatalogContents, _ held: HeldCatalog?, now: Timestamp
    ) throws(CatalogError) -> CatalogIntake {
        let age = contents.header.age
        if var same = held, same.contents?.header.sha256 == contents.header.sha256 {
            same.confirm(age: age, now: now)
            let known = same.contents?.header.age ?? age
            same.contents = contents
            same.contents?.header.age = known
            return .unchanged(same)
        }
        let next = try HeldCatalog(contents)
        // An origin may publish the very bytes of the sample.
        return next.generation == held?.generation ? .unchanged(next) : .updated(next)
    }

    /// The catalog to store and serve; nil if the served one stays as it is.
    package var accepted: HeldCatalog? {
        switch self {
        case .updated(let catalog), .unchanged(let catalog): catalog
        case .failed: nil
        }
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
