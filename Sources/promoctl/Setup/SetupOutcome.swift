import CrossPromoKit
import PromoProcess
import PromoWire

/// What promod does once its configuration was changed and reloaded.
struct SetupOutcome {
    let change: ConfigurationChange
    let report: ConfigureReport
    let options: CommonOptions

    /// What promod keeps as the catalog.
    private enum Kept: Equatable {
        case nothing
        case sample
        case address(String)

        init(_ status: StatusResult?) {
            self = status?.refresh.url.map(Kept.address) ?? (status?.freshness.source == .sample ? .sample : .nothing)
        }
    }

    private var name: String { change.catalog ?? CatalogReference.defaultName }

    private var reference: CatalogReference? { change.catalog.map(CatalogReference.name) }

    /// The change is on disk, but promod could not be made to read it.
    func notInForce(_ error: PromoError) -> Failure {
        let what =
            switch change.action {
            case .set, .sample, .printSample: "The configuration is written"
            case .remove: "The address is removed"
            case .hide: "The catalog is hidden"
            case .unhide: "The catalog is not hidden any more"
            case .undo: "The last change is undone"
            }
        let isBroken = error.reason == ErrorReason.badConfiguration.rawValue
        let remedy = isBroken ? " \(BrokenFile.remedy(for: nil))" : ""
        return Failure(
            code: Failure(error).code, reason: error.reason,
            "\(what), but this is not in force yet. \(error.message.sentence)\(remedy)")
    }

    /// Shows the list, or says that there is no catalog any more.
    /// - Parameter address: the address that was set up; nil if none was.
    /// - Throws: ``Failure`` if promod keeps another catalog than the change says.
    func show(_ address: HTTPSURL?) throws {
        let status = try address == nil ? options.status().about(reference) : options.status(of: reference)
        let kept = Kept(status)
        switch change.action {
        case .set:
            guard let address, kept == .address(address.description) else { throw overridden(kept, status) }
            try showFetched(address.description)
        case .sample:
            guard kept == .sample else { throw overridden(kept, status) }
            try list()
        case .remove:
            guard kept == .nothing else { throw Failure(.refused, "promod keeps \(text(kept)): \(removal(status))") }
            try endWithoutCatalog()
        case .undo:
            switch kept {
            case .address(let url): try showFetched(url)
            case .sample: try list()
            case .nothing: try endWithoutCatalog()
            }
        case .hide:
            guard status == nil else {
                throw Failure(
                    .refused,
                    "promod still keeps the catalog \(name): [catalogs.\(name)] in the configuration configures it.")
            }
            try end(
                "promod does not keep the catalog \(name) any more; \"promoctl setup --unhide --catalog \(name)\" has it back."
            )
        case .unhide:
            try end(
                status == nil
                    ? "Nothing configures a catalog \(name) at the moment." : "promod keeps the catalog \(name) again.")
        case .printSample:
            break
        }
    }

    // MARK: Another catalog than the change says

    private func text(_ kept: Kept) -> String {
        switch kept {
        case .nothing: "no address" + (change.catalog.map { " for \($0)" } ?? "")
        case .sample: "the sample"
        case .address(let url): url
        }
    }

    private func overridden(_ kept: Kept, _ status: StatusResult?) -> Failure {
        // Nothing overrides an address by none.
        let cause = kept == .nothing ? changedMeanwhile : cause(status)
        return Failure(.refused, "The configuration is written, but promod keeps \(text(kept)): \(cause)")
    }

    private var changedMeanwhile: String { "another program has changed \(report.file ?? "the file") meanwhile." }

    /// Why promod keeps what the file did not have after the change.
    private func cause(_ status: StatusResult?) -> String {
        guard let source = source(status) else {
            return
                "it was started with another configuration, on its command line or in its environment, and that overrides the file."
        }
        return source == report.file ? changedMeanwhile : "\(source) configures it."
    }

    /// Why promod keeps a catalog that was removed from the user's file, and what to do.
    private func removal(_ status: StatusResult?) -> String {
        guard change.catalog != nil else { return cause(status) }
        guard let source = source(status), source.hasSuffix("/catalogs.d/\(name).toml") else {
            return
                "[catalogs.\(name)] in \(source(status) ?? "the configuration") configures it; remove that, and then: promoctl reload"
        }
        return "\(source) configures it. This hides it: promoctl setup --hide --catalog \(name)"
    }

    /// The file that has the catalog's address, without symbolic links; nil if none has it.
    private func source(_ status: StatusResult?) -> String? {
        status?.catalog(.name(name))?.file.map { (try? String(resolving: $0)) ?? $0 }
    }

    // MARK: The list

    /// Shows the list, after promod has fetched the catalog that was checked, too.
    private func showFetched(_ address: String) throws {
        let listing = ListParameters(language: .all, limit: 1, wait: true)
        let checked = report.catalog?.content?.generation
        let served = try Progress.during("promod is fetching \(address)") {
            let served = try ask(.list(listing), as: ListResult.self).freshness.generation
            guard let served, let checked, served != checked else { return served }
            // It fetched another one, or this one before.
            let result = try ask(.command(.refresh(RefreshParameters())), as: RefreshResult.self)
            if let error = result.error {
                Output.note("promoctl: \(error.message.printable)")
            } else if result.generation != checked {
                Output.note(
                    "promoctl: promod serves another version than the one that was checked; \"promoctl status\" says when it asks again."
                )
            }
            return served
        }
        guard served != nil else {
            let reason = try options.status(of: reference).refresh.lastError?.message ?? "\"promoctl status\" says why."
            throw Failure(
                .tryLater, "The configuration is in force, but promod could not fetch the catalog yet. \(reason)")
        }
        try list()
    }

    private func list() throws {
        _ = try ListReport(client: options.client, catalog: reference, isJSON: options.json).show()
    }

    private func ask<Result: MethodResult>(_ method: Request.Method, as type: Result.Type) throws -> Result {
        try options.ask(method, of: reference, timeout: DaemonClient.fetchTimeout, as: type).result
    }

    private func endWithoutCatalog() throws {
        let status = try options.status()
        try end(change.catalog == nil ? status.unconfigured : "promod does not keep the catalog \(name) any more.")
    }

    /// Prints a line, or with `--json` the status.
    private func end(_ line: String) throws {
        if options.json { return try Output.json(try options.client.ask(.status)) }
        try Output.line(line)
    }
}
