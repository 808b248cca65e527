import Glibc
import PromoCore
import PromoDaemon
import PromoProcess
import PromoWire

/// Checks what the daemon depends on, in the way the daemon uses it.
struct SelfCheck {
    /// A disk with fewer free bytes than this gets a warning.
    private static let littleSpace = 64 << 20

    private let loader: ConfigurationLoader
    private let directories: Directories
    private let cache: String

    /// - Parameter cache: the daemon's cache directory, if it is not the one in `directories`.
    init(loader: ConfigurationLoader, directories: Directories, cache: String?) {
        self.loader = loader
        self.directories = directories
        self.cache = cache ?? directories.cache
    }

    /// All diagnoses, ordered so that a cause stands before its effects.
    func diagnoses() -> [Diagnosis] {
        let configuration: Configuration
        do {
            configuration = try loader.load().configuration
        } catch {
            let text = "\(error.lines.joined(separator: "; ")). Fix it, and then: promoctl reload"
            return [Diagnosis("Configuration", .bad, text), proxy(nil)] + disks + [clock]
        }
        guard let url = configuration.catalogURL else {
            let text =
                "No catalog.url is set, so the sample is served. Set one: promoctl setup https://example.com/catalog.json"
            return [Diagnosis("Origin", .warning, text), proxy(nil)] + disks + [clock]
        }
        if (try? configuration.proxies.proxy(for: url)) != nil {
            // The proxy looks the name up.
            return [proxy(configuration), catalog(url, configuration)] + disks + [clock]
        }
        let name = nameLookUp(url)
        // Without an address, a fetch would only fail with the same reason.
        let fetch = name.verdict == .bad ? [] : [catalog(url, configuration)]
        return [proxy(configuration), name] + fetch + disks + [clock]
    }

    private func nameLookUp(_ url: HTTPSURL) -> Diagnosis {
        let host = url.host.hasPrefix("[") ? String(url.host.dropFirst().dropLast()) : url.host
        switch NameLookUp.addresses(of: host) {
        case .success(let addresses):
            return Diagnosis("Name look-up", .good, "\(url.host) is \(addresses.joined(separator: ", "))")
        case .failure(let failure):
            return Diagnosis(
                "Name look-up", .bad,
                "\(url.host) cannot be resolved: \(failure.description). Check the address, the network and "
                    + "/etc/resolv.conf (resolvectl query \(url.host)).")
        }
    }

    private func catalog(_ url: HTTPSURL, _ configuration: Configuration) -> Diagnosis {
        do {
            let fetched = try CatalogProbe(configuration, now: ProcessSetup.now).fetch(url)
            let checked = FetchedCatalog(
                name: url.description, bytes: fetched.bytes, trust: CatalogTrust(keys: configuration.publicKeys))
            if let failure = checked.failure {
                return Diagnosis("Catalog", .bad, "\(failure.message) \"promod validate\" lists everything.")
            }
            let apps = checked.report.content?.apps ?? 0
            return Diagnosis("Catalog", .good, "\(url) has one with \(apps.counting("app")), over TLS that is trusted")
        } catch {
            return Diagnosis("Catalog", .bad, error.failure.message)
        }
    }

    /// - Parameter configuration: the one in force; nil if nothing is fetched.
    private func proxy(_ configuration: Configuration?) -> Diagnosis {
        guard let configuration, let url = configuration.catalogURL else {
            return Diagnosis("Proxy", .good, "Nothing is fetched, so none is used")
        }
        do {
            guard let used = try configuration.proxies.proxy(for: url) else {
                return Diagnosis("Proxy", .good, "None is used")
            }
            let text = "\(url.host) is asked through \(used.url) (\(used.source))"
            if used.source == Proxies.key { return Diagnosis("Proxy", .good, text) }
            return Diagnosis(
                "Proxy", .warning,
                "\(text); a service does not see a shell's variables, so \"promoctl setup\" writes catalog.proxy")
        } catch {
            return Diagnosis("Proxy", .bad, error.message)
        }
    }

    private var disks: [Diagnosis] {
        [
            disk("Cache", cache, "Until that is fixed, the catalog is kept only in memory."),
            disk("Reviews", directories.state, "Until that is fixed, review requests are refused."),
        ]
    }

    private func disk(_ subject: String, _ directory: String, _ consequence: String) -> Diagnosis {
        var existing = directory
        while FileSystem.access(existing, F_OK) != 0, let slash = existing.lastIndex(of: "/"),
            slash > existing.startIndex
        {
            existing = String(existing[..<slash])
        }
        guard FileSystem.access(existing, W_OK | X_OK) == 0 else {
            let reason = String(systemError: errno)
            return Diagnosis(
                subject, .bad, "\(existing) cannot be written: \(reason). \(consequence) Try: ls -ld \(existing)")
        }
        var status = statvfs()
        // The kernel fills the status before it returns.
        guard unsafe statvfs(existing, &status) == 0 else {
            return Diagnosis(subject, .good, "\(directory) can be written")
        }
        // A file system may report any number of blocks.
        let (product, isTooMuch) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        let free = isTooMuch ? UInt64.max : product
        let space = "\(free >> 20) MiB free"
        guard free >= Self.littleSpace else {
            return Diagnosis(
                subject, .warning, "\(directory) has little space left, \(space). Make room: df \(existing)")
        }
        return Diagnosis(subject, .good, "\(directory) can be written, \(space)")
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
