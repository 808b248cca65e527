import CrossPromoKit
import Glibc
import PromoSystem
import PromoWire

/// Checks the socket, and the daemon that answers there.
struct DaemonCheck {
    private let options: CommonOptions
    private let reply: Result<StatusResult, any Error>

    /// Asks the daemon.
    init(options: CommonOptions) {
        self.options = options
        reply = Result { try options.status() }
    }

    /// promod's status; nil if it does not answer.
    var status: StatusResult? { try? reply.get() }

    /// The diagnoses, but for what others have found already.
    func diagnoses(besides found: [Diagnosis]) -> [Diagnosis] {
        let status: StatusResult
        do {
            status = try reply.get()
        } catch {
            // If the unit is at fault, its advice counts.
            let isUnits = origin == Self.defaultOrigin
            if isUnits, found.contains(where: { $0.verdict == .bad && $0.subject == "promod.socket" }) { return [] }
            return [Diagnosis("Socket", .bad, (error as? PromoError)?.message ?? "\(error)")]
        }
        let process = status.process
        let path = (try? options.client.socketPath()) ?? process.socketPath
        let socket = Diagnosis("Socket", .good, "promod answers at \(path) (\(origin))")
        let isSame = process.version == Version.current
        let program = Diagnosis(
            "Program", isSame ? .good : .warning,
            "promod \(process.version), pid \(process.pid)"
                + (isSame ? "" : ", but this is promoctl \(Version.current): systemctl --user restart promod"))
        let configuration = configuration(status)
        let found = found + [configuration]
        let others = status.catalogs.dropFirst().compactMap { catalog in
            status.about(.name(catalog.name)).flatMap { served($0, of: " of \(catalog.name)", besides: found) }
        }
        let reviews = status.reviewsError.map {
            Diagnosis("Review history", .bad, "\($0.sentence) After it is fixed: promoctl reload")
        }
        let isUnconfigured = status.freshness.isUnconfigured
        let own = isUnconfigured ? nil : served(status, besides: found)
        return (isUnconfigured ? [.unconfigured] : [])
            + [socket, program, configuration, own].compactMap(\.self) + others
            + [reviews].compactMap(\.self)
    }

    /// Where the socket's path came from.
    private var origin: String {
        if options.daemon.socket != nil { return "--socket" }
        return ProcessEnvironment().variables["PROMOD_SOCKET"]?.isEmpty == false ? "PROMOD_SOCKET" : Self.defaultOrigin
    }

    private static let defaultOrigin = "XDG_RUNTIME_DIR"

    private func configuration(_ status: StatusResult) -> Diagnosis {
        let file = status.configuration.file ?? status.process.configurationPath.map { "\($0), which does not exist" }
        if let error = status.configuration.error {
            return Diagnosis(
                "Configuration", .bad, "\(error.sentence) \(BrokenFile.remedy(for: status.configuration.file))")
        }
        return Diagnosis("Configuration", .good, "promod reads \(file ?? "no file")")
    }

    /// What is served of a catalog; nil if there is nothing, and others have found why.
    private func served(
        _ status: StatusResult, of name: String = "", besides found: [Diagnosis]
    ) -> Diagnosis? {
        let subject = "Served" + name
        let causes = ["Configuration", "Catalog"].map { $0 + name }
        let isExplained = found.contains { $0.verdict == .bad && causes.contains($0.subject) }
        let freshness = status.freshness
        let error =
            isExplained ? "" : status.refresh.lastError.map { " The last attempt failed: \($0.advised)" } ?? ""
        switch freshness.state {
        case .loaded where freshness.source == .sample:
            // A later diagnosis says what to do about that.
            return Diagnosis(subject, .good, "The sample catalog")
        case .loaded, .cached:
            let apps = status.apps.counting("app")
            if let problem = status.cache.error { return Diagnosis(subject, .warning, "\(apps). \(problem)") }
            return freshness.state == .loaded
                ? Diagnosis(subject, .good, "\(apps), fresh")
                : Diagnosis(subject, .warning, "\(apps), expired.\(error)")
        case .loading: return Diagnosis(subject, .warning, "Nothing yet; the first fetch is under way")
        case .empty where isExplained: return nil
        case .empty:
            let broken = status.configuration.error.map {
                " \($0.sentence) \(BrokenFile.remedy(for: status.configuration.file))"
            }
            let reasons = (broken ?? "") + (status.cache.error.map { " \($0.sentence)" } ?? "") + error
            return Diagnosis(
                subject, .bad, "Nothing." + (reasons.isEmpty ? " \"promoctl status\" says why." : reasons))
        }
    }
}
