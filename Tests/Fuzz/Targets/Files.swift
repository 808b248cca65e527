import PromoCore
import PromoWire

extension FuzzTarget {
    /// Any bytes can be in the cache's file, and what is stored is read back.
    static let cacheFile = FuzzTarget(name: "cache-file") { input in
        if let contents = try? CatalogContents(fileBytes: input) { try checkFile(of: contents) }
        // Almost no bytes match a SHA-256 at random, so a file is made of the input too.
        let parts = input.split(separator: 0, maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, let url = HTTPSURL(String(decoding: parts[0], as: UTF8.self)) else { return }
        let validators = Validators(
            received: String(validating: parts[1], as: UTF8.self).map { OutsideText($0) },
            lastModified: String(validating: parts[2], as: UTF8.self).map { OutsideText($0) })
        try checkFile(
            of: CatalogContents(
                Array(parts[3]), of: url, validators: validators, at: Timestamp(seconds: Int64(input.count))))
    }

    private static func checkFile(of contents: CatalogContents) throws {
        let again = try CatalogContents(fileBytes: Array(contents.fileParts.joined()))
        try require(again == contents, "\(contents.header) was read back as \(again.header)")
    }

    /// Any bytes can be in the schedule's file, and what is stored is read back.
    static let scheduleFile = FuzzTarget(name: "schedule-file") { input in
        guard let record = RefreshSchedule.Record(fileBytes: input) else { return }
        // A pause is rounded up to a second when it is first written.
        let stored = RefreshSchedule.Record(fileBytes: record.fileBytes)
        let again = stored.flatMap { RefreshSchedule.Record(fileBytes: $0.fileBytes) }
        try require(again != nil && again == stored, "\(record) was read back as \(String(describing: again))")
    }

    /// Any bytes can be in the file that says which icons there are; what is stored is read back, and every file has a name of its kind.
    static let iconBook = FuzzTarget(name: "icon-book") { input in
        guard let book = IconBook(fileBytes: input) else { return }
        let again = IconBook(fileBytes: book.fileBytes)
        try require(again == book, "\(book) was read back as \(String(describing: again))")
        for name in book.fileNames { try require(StoredIcon.isFileName(name), "\(name) is the name of a file") }
    }

    /// Any bytes can come as an icon; a whole picture stays one, whatever comes after it.
    static let picture = FuzzTarget(name: "picture") { input in
        guard let url = HTTPSURL("https://a.example/i"), let format = try? IconFormat(of: input, at: url) else {
            return
        }
        let longer = try? IconFormat(of: input + input, at: url)
        try require(longer == format, "a \(format) with more bytes is \(String(describing: longer))")
    }

    /// Any bytes can be in the review history's file, and what is stored is read back.
    static let historyFile = FuzzTarget(name: "history-file") { input in
        guard let history = try? ReviewHistory(fileBytes: input) else { return }
        let again = try ReviewHistory(fileBytes: history.fileBytes)
        try require(again == history, "a history was read back as another")
    }
}
