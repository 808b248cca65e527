package import PromoWire

/// Since when each problem has existed.
package struct ProblemLog: Sendable {
    private var last: [Problem] = []

    /// Creates a log without problems.
    package init() {}

    /// The problems. Those that were there before keep their time, and those without one begin now.
    package mutating func update(_ found: [Problem], now: Timestamp) -> [Problem] {
        last = found.map { problem in
            var problem = problem
            let before = last.first {
                ($0.code, $0.subject, $0.catalog) == (problem.code, problem.subject, problem.catalog)
            }
            if problem.since == Timestamp(seconds: 0) { problem.since = before?.since ?? now }
            return problem
        }
        return last
    }
}

extension CatalogSnapshot {
    /// What is wrong with the catalog and its files.
    package func problems(now: Timestamp, isOnline: () -> Bool = { true }) -> [Problem] {
        var problems = files.compactMap { file, error in
            error.map { Problem(.catalogFile, file, $0, catalog: name) }
        }
        if let (file, text) = bundledProblem { problems.append(Problem(.catalogFile, file, text, catalog: name)) }
        if let problem = storage { problems.append(Problem(.storage, cachePath, problem, catalog: name)) }
        let subject = url ?? name
        // While the file is broken, nothing is fetched.
        guard error == nil else { return problems }
        let expiresAt = freshness(now: now).expiresAt
        if let error = schedule.record.lastError, error.code != .storage {
            problems.append(Problem(error.code, subject, error.message, about: advised(isOnline)))
        } else if served?.source == .origin, expiresAt.map({ $0 <= now }) ?? true, !schedule.isFetching {
            let text =
                expiresAt == nil ? "The catalog was fetched at a time ahead of the clock" : "The catalog has expired"
            problems.append(
                Problem(.expired, subject, text, since: expiresAt ?? Timestamp(seconds: 0), about: advised(isOnline)))
        }
        if served?.source == .origin, let place = schedule.record.movedTo {
            problems.append(
                Problem(.moved, subject, "The catalog has moved for good to \(place)", about: advised(isOnline)))
        }
        return problems
    }

    private func advised(_ isOnline: () -> Bool) -> AdvisedCatalog {
        var advised = AdvisedCatalog()
        (advised.name, advised.file, advised.isOfPackage) = (name, file, isOfPackage)
        (advised.address, advised.isOnline) = (address == url ? url : nil, isOnline())
        return advised
    }

    /// The files that configure it, with what is wrong in them.
    private var files: [(file: String, error: String?)] {
        [(file ?? name, error)] + aliases.map { ($0.file, $0.error) }
    }
}
