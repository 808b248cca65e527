package import PromoWire

/// The pictures of a catalog that are on disk, by the addresses of its icons, and the schedule by which they are fetched.
package struct IconBook: Equatable, Sendable, FileContents {
    package static let noun = "list of icons"
    /// The maximum size of a picture, in bytes.
    package static let maximumSize = 512 * 1024
    /// The maximum size of all pictures of a catalog, in bytes.
    package static let maximumTotal = 32 * 1024 * 1024
    /// The maximum number of pictures of a catalog: those of its first addresses.
    package static let maximumCount = 1000

    /// When pictures are fetched.
    package var schedule = IconSchedule()
    /// The pictures by address.
    package private(set) var icons: [String: StoredIcon] = [:]
    /// The size of all pictures; one that several addresses share counts for each.
    private var total = 0

    /// Creates an empty book.
    package init() {}

    /// The picture of an address; nil if there is none.
    package subscript(url: String) -> StoredIcon? {
        get { icons[url] }
        set {
            total += (newValue?.size ?? 0) - (icons[url]?.size ?? 0)
            icons[url] = newValue
        }
    }

    /// The names of all pictures' files.
    package var fileNames: Set<String> { Set(icons.values.map(\.fileName)) }

    /// The most bytes that the next picture of an address may take; nil if there may be no room for one that is missing.
    package func room(for url: String) -> Int? {
        let room = Self.maximumTotal - total + (icons[url]?.size ?? 0)
        return room < Self.maximumSize && icons[url] == nil ? nil : min(room, Self.maximumSize)
    }

    /// The failure of a picture that is larger than a number of bytes.
    package static func tooLarge(_ url: HTTPSURL, than size: Int = maximumSize) -> Failure {
        Failure(.tooLarge, "\(url.brief) is larger than \(size / 1024) KiB, the most that an icon may take.")
    }

    /// Forgets the pictures that do not pass a check.
    /// - Returns: whether there are any.
    package mutating func keep(where isKept: (_ url: String, StoredIcon) -> Bool) -> Bool {
        let forgotten = icons.filter { !isKept($0.key, $0.value) }
        for url in forgotten.keys { self[url] = nil }
        return !forgotten.isEmpty
    }
}

/// A stored picture: its file, and what the origin sent with it.
package struct StoredIcon: Equatable, Sendable {
    /// The name of its file, which the catalog cannot choose: half of the SHA-256 of its bytes, and its format.
    package let fileName: String
    /// Its size in bytes.
    package let size: Int
    /// The validators that came with it.
    package var validators: Validators

    private static let digits = 32

    /// Describes a picture that an origin has sent.
    /// - Throws: ``Failure`` if its bytes are not a whole picture in one of the formats.
    package init(_ bytes: [UInt8], of url: HTTPSURL, validators: Validators) throws(Failure) {
        let format = try IconFormat(of: bytes, at: url)
        fileName = "\(Digest(of: bytes).hexadecimal.prefix(Self.digits)).\(format.rawValue)"
        (size, self.validators) = (bytes.count, validators)
    }

    /// Its media type.
    package var mediaType: String { "image/\(fileName.dropFirst(Self.digits + 1))" }

    /// Whether a name has the form of ``fileName``.
    package static func isFileName(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 2 && Digest.isDigits(parts[0], count: digits)
            && IconFormat(rawValue: String(parts[1])) != nil
    }

    /// Whether the bytes are this picture.
    package func matches(_ bytes: [UInt8]) -> Bool {
        bytes.count == size && fileName.hasPrefix(Digest(of: bytes).hexadecimal.prefix(Self.digits))
    }
}

/// The published state of a catalog's pictures.
package struct IconSnapshot: Sendable {
    /// Counts the states, so that those of other pictures can be told apart.
    package var number = 0
    /// The number of pictures received since the daemon started.
    package var arrivals: Int
    /// The path of the picture of an icon's address; nil if there is none.
    package var path: @Sendable (_ iconURL: String) -> String?

    /// Creates a state, by default that before there are pictures.
    package init(arrivals: Int = 0, path: @escaping @Sendable (_ iconURL: String) -> String? = { _ in nil }) {
        (self.arrivals, self.path) = (arrivals, path)
    }
}

// MARK: The file

extension IconBook {
    package static let format: Int? = 3

    /// The contents of the file in which the book is stored: a JSON object, sorted by address.
    package var fileBytes: [UInt8] {
        JSONWriter.line { writer in
            writer.member("format", Self.format)
            schedule.writeMembers(to: &writer)
            writer.objects("icons", of: icons.sorted { $0.key < $1.key }) { writer, entry in
                writer.member("url", entry.key)
                entry.value.writeMembers(to: &writer)
            }
        }
    }

    /// Reads what ``fileBytes`` wrote; nil for anything else. Entries that are not valid, or beyond the limits, are left out.
    package init?(fileBytes: [UInt8]) {
        guard let root = try? JSONDocument(fileBytes, maximumDepth: 4).root, root["format"]?.integer == Self.format,
            let icons = root["icons"], icons.kind == .array
        else { return nil }
        schedule = IconSchedule(root)
        for element in icons.elements {
            guard let url = element["url"]?.ascii(upTo: HTTPSURL.maximumLength), HTTPSURL(url) != nil,
                let icon = StoredIcon(element), self.icons.count < Self.maximumCount, icon.size <= room(for: url) ?? 0
            else { continue }
            self[url] = icon
        }
    }
}

extension StoredIcon {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("file", fileName)
        writer.member("size", size)
        validators.writeMembers(to: &writer)
    }

    fileprivate init?(_ json: JSONValue) {
        guard let fileName = json["file"]?.ascii(upTo: 64), Self.isFileName(fileName),
            let size = json["size"]?.integer, 1...IconBook.maximumSize ~= size
        else { return nil }
        (self.fileName, self.size, validators) = (fileName, size, Validators(json))
    }
}
