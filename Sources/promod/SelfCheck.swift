import Glibc
import PromoCore
import PromoDaemon
import PromoSystem
import PromoWire

/// Checks what the daemon depends on, in the way the daemon uses it.
struct SelfCheck {
    let loader: ConfigurationLoader
    /// Whether the daemon's directories can be written.
    let disks: [Diagnosis]

    /// All diagnoses, a cause before its effects.
    func diagnoses() -> [Diagnosis] {
        let loaded: ConfigurationLoader.Loaded
        do {
            loaded = try loader.load()
        } catch {
            let text = "\(error.description.sentence) \(BrokenFile.remedy(for: nil))"
            return [Diagnosis("Configuration", .bad, text), proxy(nil, for: nil)] + disks + [clock]
        }
        let roster = CatalogRoster(loaded.dropIns.entries)
        let ignored = loaded.dropIns.ignored
        var files = ignored.files.filter { ![.hidden, .shadowed].contains($0.cause) }.map {
            Diagnosis("Drop-in", .warning, BrokenFile.sentence($0))
        }
        if ignored.more > 0 { files.append(Diagnosis("Drop-in", .warning, "\(ignored.more) more are ignored")) }
        let origins = roster.catalogs.flatMap { origin($0.entry, loaded.configuration) }
        let own = roster.catalogs.isEmpty ? [.unconfigured, proxy(nil, for: nil)] : origins
        return own + files + disks + [clock]
    }

    private func origin(_ entry: CatalogEntry, _ configuration: Configuration) -> [Diagnosis] {
        func about(_ diagnosis: Diagnosis) -> Diagnosis {
            entry.name == CatalogReference.defaultName ? diagnosis : diagnosis.about(entry.name)
        }
        if let problem = entry.problem {
            let text = "\(problem.sentence) \(BrokenFile.remedy(for: entry.file))"
            return [about(Diagnosis("Configuration", .bad, text))]
        }
        guard let url = entry.settings.url else {
            let text =
                "The sample needs none. Set the address of your catalog: promoctl setup https://example.com/catalog.json"
            return [Diagnosis("Origin", .warning, text)]
        }
        let (result, used) = CatalogProbe.fetch(
            url, configuration, entry.settings, environment: loader.environment)
        return [proxy(used, for: url), catalog(url, result)].map(about)
    }

    private func catalog(_ url: HTTPSURL, _ result: Result<[UInt8], Failure>) -> Diagnosis {
        switch result {
        case .success(let bytes):
            let checked = FetchedCatalog(name: url.description, bytes: bytes)
            if let failure = checked.failure { return Diagnosis("Catalog", .bad, failure.advised) }
            let apps = checked.report.content?.apps ?? 0
            return Diagnosis("Catalog", .good, "\(url) has \(apps.counting("app")), and its certificate is trusted")
        case .failure(let failure): return Diagnosis("Catalog", .bad, failure.advised)
        }
    }

    /// - Parameter url: the address that was fetched; nil if nothing was.
    private func proxy(_ used: UsedProxy?, for url: HTTPSURL?) -> Diagnosis {
        guard let url else { return Diagnosis("Proxy", .good, "Nothing is fetched, so none is used") }
        guard let used else { return Diagnosis("Proxy", .good, "None is used") }
        guard let address = used.url else {
            return Diagnosis(
                "Proxy", .bad,
                "The environment variable \(used.source) is not the address of a proxy. \(PromoWire.Failure.Code.proxy.advice)"
            )
        }
        let text = "\(url.host) is asked through \(address) (\(used.source))"
        if !used.isVariable { return Diagnosis("Proxy", .good, text) }
        return Diagnosis(
            "Proxy", .warning,
            "\(text); a service does not see a shell's variables, so set network.proxy in config.toml")
    }

    private var clock: Diagnosis {
        let time = ProcessSetup.now().rfc3339
        guard ProcessSetup.isClockSynchronized else {
            return Diagnosis(
                "Clock", .warning,
                "It says \(time) and is not synchronised. Ages and certificates depend on it: timedatectl set-ntp true"
            )
        }
        return Diagnosis("Clock", .good, "It says \(time) and is synchronised")
    }
}
