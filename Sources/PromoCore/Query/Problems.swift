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
    package func problems(now: Timestamp) -> [Problem] {
        var problems = files.compactMap { file, error in
            error.map { Problem(.catalogFile, file, $0, catalog: name) }
        }
        if let problem = storage { problems.append(Problem(.storage, cachePath, problem, catalog: name)) }
        let subject = url ?? name
        // While the file is broken, nothing is fetched.
        guard error == nil else { return problems }
        let expiresAt = freshness(now: now).expiresAt
        if let error = schedule.record.lastError, error.code != .storage {
            problems.append(Problem(error.code, subject, error.message, catalog: name))
        } else if served?.source == .origin, expiresAt.map({ $0 <= now }) ?? true, !schedule.isFetching {
            let text =
                expiresAt == nil ? "The catalog was fetched at a time ahead of the clock" : "The catalog has expired"
            problems.append(
                Problem(.expired, subject, text, since: expiresAt ?? Timestamp(seconds: 0), catalog: name))
        }
        if served?.source == .origin, let place = schedule.record.movedTo {
            problems.append(Problem(.moved, subject, "The catalog has moved for good to \(place)", catalog: name))
        }
        return problems
    }

    /// The files that configure it, with what is wrong in them.
    private var files: [(file: String, error: String?)] {
        [(file ?? name, error)] + aliases.map { ($0.file, $0.error) }
    }
}
