import CrossPromoKit
import Glibc
import PromoProcess
import PromoWire

/// Checks the socket, and the daemon that answers there.
struct DaemonCheck {
    let options: CommonOptions

    /// The diagnoses, and promod's status if it answers.
    func diagnoses() -> (diagnoses: [Diagnosis], status: StatusResult?) {
        let path: String
        do {
            path = try options.client.socketPath()
        } catch {
            return ([Diagnosis("Socket", .bad, error.message)], nil)
        }
        let status: StatusResult
        do {
            status = try options.status()
        } catch {
            let message = (error as? PromoError)?.message ?? "\(error)"
            return ([Diagnosis("Socket", .bad, message)], nil)
        }
        let process = status.process
        let socket = Diagnosis("Socket", .good, "promod answers at \(path) (\(origin))")
        let isSame = process.version == Version.current
        let program = Diagnosis(
            "Program", isSame ? .good : .warning,
            "promod \(process.version), pid \(process.pid)"
                + (isSame ? "" : ", but this is promoctl \(Version.current): systemctl --user restart promod"))
        let others = status.catalogs.dropFirst().compactMap { catalog in
            status.about(.name(catalog.name)).map { served($0, of: " of \(catalog.name)") }
        }
        let reviews = status.reviewsError.map {
            Diagnosis("Review history", .bad, "\($0.sentence) Then: promoctl reload")
        }
        // Where others are kept, that there is no default one is nothing to look at.
        let isUnconfigured = status.freshness.isUnconfigured
        let own = isUnconfigured ? [] : [served(status)]
        return (
            (isUnconfigured && others.isEmpty ? [.unconfigured] : []) + [socket, program, configuration(status)] + own
                + others
                + [clock(status), reviews].compactMap(\.self),
            status
        )
    }

    /// Where the socket's path came from.
    private var origin: String {
        if options.daemon.socket != nil { return "--socket" }
        return ProcessEnvironment().variables["PROMOD_SOCKET"]?.isEmpty == false ? "PROMOD_SOCKET" : "XDG_RUNTIME_DIR"
    }

    private func configuration(_ status: StatusResult) -> Diagnosis {
        let file = status.configuration.file ?? status.process.configurationPath.map { "\($0), which does not exist" }
        if let error = status.configuration.error {
            return Diagnosis(
                "Configuration", .bad, "\(error.sentence) \(BrokenFile.remedy(for: status.configuration.file))")
        }
        return Diagnosis("Configuration", .good, "promod reads \(file ?? "no file")")
    }

    /// A clock that differs from the origin's, by which certificates and ages are judged.
    private func clock(_ status: StatusResult) -> Diagnosis? {
        Explanation.clock(status.refresh).map { Diagnosis("Clock", .warning, "\($0) Look at it with: timedatectl") }
    }

    private func served(_ status: StatusResult, of name: String = "") -> Diagnosis {
        let subject = "Served" + name
        let freshness = status.freshness
        let error = status.refresh.lastError.map { " The last attempt failed: \($0.message)" } ?? ""
        switch freshness.state {
        case .loaded where freshness.source == .sample:
            // A later diagnosis says what to do about that.
            return Diagnosis(subject, .good, "The sample catalog")
        case .loaded, .cached:
            let apps = status.apps.counting("app")
            if let warning = freshness.warning(now: .now) { return Diagnosis(subject, .bad, "\(apps). \(warning)") }
            if let heldBack = status.refresh.heldBack {
                return Diagnosis(
                    subject, .warning,
                    "\(apps); a new catalog that lacks \(heldBack.lost) of those that are served is held back. If it is right: promoctl refresh --accept"
                )
            }
            if status.refresh.lastError?.code == .signature { return Diagnosis(subject, .bad, apps + "." + error) }
            if let problem = status.cache.error { return Diagnosis(subject, .warning, "\(apps). \(problem)") }
            return freshness.state == .loaded
                ? Diagnosis(subject, .good, "\(apps), fresh")
                : Diagnosis(subject, .warning, "\(apps), expired.\(error)")
        case .loading: return Diagnosis(subject, .warning, "Nothing yet; the first fetch is under way")
        case .empty: return Diagnosis(subject, .bad, "Nothing.\(status.cache.error.map { " \($0)" } ?? "")\(error)")
        }
    }
}
