package import PromoWire

/// The pictures of a catalog that are on disk, by icon address, and when failed addresses may be asked again.
package struct IconBook: Equatable, Sendable {
    /// The maximum size of a picture, in bytes.
    package static let maximumSize = 512 * 1024
    /// The maximum size of all pictures of a catalog, in bytes.
    package static let maximumTotal = 32 * 1024 * 1024
    /// The maximum number of pictures of a catalog.
    package static let maximumCount = 1000

    private var icons: [String: StoredIcon] = [:]
    /// When the addresses may be asked again whose last attempt failed or was skipped.
    private var failures: [String: Timestamp] = [:]
    /// The size of all pictures; one that several addresses share counts for each.
    private var total = 0

    /// Creates an empty book.
    package init() {}

    /// Whether it has neither pictures nor failures.
    package var isEmpty: Bool { icons.isEmpty && failures.isEmpty }

    /// The picture of an address; nil if there is none.
    package subscript(url: String) -> StoredIcon? { icons[url] }

    /// The names of all pictures' files.
    package var fileNames: Set<String> { Set(icons.values.map(\.fileName)) }

    /// When the picture of an address is to be fetched next; nil if it is overdue, because it is missing or its time is not
    /// believable.
    /// - Parameter interval: the age at which a picture is fetched again, and the longest wait after a failure.
    package func dueAt(_ url: String, interval: Duration, now: Timestamp) -> Timestamp? {
        let times = [icons[url].map { $0.fetchedAt + interval }, failures[url]].compactMap(\.self)
        return times.filter { $0.isBelievable(now: now + interval) }.max()
    }

    /// Whether the picture of an address is missing or old, and no recent attempt failed.
    package func isDue(_ url: String, interval: Duration, now: Timestamp) -> Bool {
        dueAt(url, interval: interval, now: now).map { $0 <= now } ?? true
    }

    /// Checks that there is room for a picture, which replaces the previous one of its address.
    package func checkRoom(for icon: StoredIcon, of text: String, at url: HTTPSURL) throws(Failure) {
        guard !hasRoom(for: icon, of: text) else { return }
        throw Failure(
            .tooLarge,
            "There is no room for \(url.brief): promod keeps at most \(Self.maximumCount) icons of a catalog, "
                + "\(Self.maximumTotal >> 20) MiB in all.")
    }

    /// The failure of a picture that is larger than ``maximumSize``.
    package static func tooLarge(_ url: HTTPSURL) -> Failure {
        Failure(.tooLarge, "\(url.brief) is larger than \(maximumSize / 1024) KiB, the most that an icon may take.")
    }

    private func hasRoom(for icon: StoredIcon, of url: String) -> Bool {
        let old = icons[url]
        return icon.size <= Self.maximumSize && total - (old?.size ?? 0) + icon.size <= Self.maximumTotal
            && (old != nil || icons.count < Self.maximumCount)
    }

    private mutating func set(_ icon: StoredIcon?, of url: String) {
        total += (icon?.size ?? 0) - (icons[url]?.size ?? 0)
        icons[url] = icon
    }

    /// Enters a picture.
    package mutating func enter(_ icon: StoredIcon, of url: String) {
        set(icon, of: url)
        failures[url] = nil
    }

    /// Records that the origin has confirmed the picture of an address.
    package mutating func confirm(_ url: String, _ validators: Validators, at now: Timestamp) {
        failures[url] = nil
        icons[url]?.fetchedAt = now
        if !validators.isEmpty { icons[url]?.validators = validators }
    }

    /// Records that an attempt has failed or was skipped, and when the address may be asked again. Its picture stays.
    package mutating func fail(_ url: String, until retry: Timestamp) {
        failures[url] = retry
    }

    /// Forgets a picture whose file is gone or damaged.
    package mutating func forget(_ url: String) {
        set(nil, of: url)
    }

    /// Keeps only the entries of these addresses.
    package mutating func keep(only urls: Set<String>) {
        for url in icons.keys where !urls.contains(url) { forget(url) }
        failures = failures.filter { urls.contains($0.key) }
    }

    /// The pictures whose files do not pass a check, by address.
    package func missing(_ isThere: (StoredIcon) -> Bool) -> [String: StoredIcon] { icons.filter { !isThere($1) } }

    /// Forgets pictures, unless their addresses have others now.
    package mutating func forget(_ missing: [String: StoredIcon]) {
        for (url, icon) in missing where icons[url]?.digest == icon.digest { forget(url) }
    }
}

extension IconBook {
    private static let format = 2

    /// The contents of the file in which the book is stored: a JSON object, sorted by address.
    package var fileBytes: [UInt8] {
        JSONWriter.line { writer in
            writer.member("format", Self.format)
            writer.objects("icons", of: icons.sorted { $0.key < $1.key }) { writer, entry in
                writer.member("url", entry.key)
                entry.value.writeMembers(to: &writer)
            }
            writer.objects("failures", of: failures.sorted { $0.key < $1.key }) { writer, entry in
                writer.member("url", entry.key)
                writer.member("until", entry.value)
            }
        }
    }

    /// Reads what ``fileBytes`` wrote; nil for anything else. Entries that are not valid, or beyond the limits, are left out.
    package init?(fileBytes: [UInt8]) {
        guard let root = try? JSONDocument(fileBytes, maximumDepth: 4).root, root["format"]?.integer == Self.format,
            let icons = root["icons"], icons.kind == .array
        else { return nil }
        for element in icons.elements {
            guard let url = element["url"]?.ascii(upTo: HTTPSURL.maximumLength), HTTPSURL(url) != nil,
                let icon = StoredIcon(element)
            else {
                continue
            }
            if hasRoom(for: icon, of: url) { enter(icon, of: url) }
        }
        guard let failures = root["failures"] else { return }
        for element in failures.elements {
            guard let url = element["url"]?.ascii(upTo: HTTPSURL.maximumLength), let time = element["until"]?.time
            else { continue }
            fail(url, until: time)
        }
    }
}
