package import PromoWire

/// The newest accepted signature for each address and key, so that no older catalog is accepted later.
package struct SignatureBook: Equatable, Sendable {
    private struct Entry: Equatable {
        /// A digest of the address and the key, because an address may contain a password.
        let subject: String
        let signedAt: Timestamp
        let content: String
    }

    /// The maximum number of entries; the least recently used one is dropped.
    package static let capacity = 256
    private static let format = 1

    /// The entries, the most recently used first.
    private var entries: [Entry] = []

    /// Creates an empty book.
    package init() {}

    /// Why a catalog is refused: it was signed before the newest accepted one of any trusted key, or in the same second as that one; nil if
    /// it is accepted.
    package func refusal(of held: HeldCatalog, trust: CatalogTrust, now: Timestamp) -> Failure? {
        guard let signature = held.signature, let url = held.contents?.header.url,
            let newest = newest(of: url, trust, now: now)
        else { return nil }
        let brief = HTTPSURL(url)?.brief ?? "its address"
        if signature.signedAt < newest.signedAt {
            return Failure(
                .signature,
                "The catalog at \(brief) was signed at \(signature.signedAt.rfc3339), before the one that was accepted last "
                    + "(\(newest.signedAt.rfc3339)), so it is refused. A server may still deliver the old one, or the "
                    + "signer's clock is behind.")
        }
        guard signature.signedAt == newest.signedAt, signature.content != newest.content else { return nil }
        return Failure(
            .signature,
            "The catalog at \(brief) was signed in the same second as another one that was accepted "
                + "(\(newest.signedAt.rfc3339)), so it is refused. Sign it again.")
    }

    /// The newest accepted signature for an address by a trusted key.
    private func newest(of url: String, _ trust: CatalogTrust, now: Timestamp) -> Entry? {
        let subjects = trust.keys.map { Self.subject(url, $0) }
        return entries.filter { subjects.contains($0.subject) && $0.signedAt.isBelievable(now: now) }
            .max { $0.signedAt < $1.signedAt }
    }

    /// Enters an accepted catalog's signature, unless a newer one is there or its time is too far in the future: one wrong clock must not
    /// stop all updates.
    package mutating func accept(_ held: HeldCatalog, now: Timestamp) {
        guard let signature = held.signature, let url = held.contents?.header.url,
            signature.signedAt.isBelievable(now: now)
        else { return }
        enter(
            Entry(
                subject: Self.subject(url, signature.key), signedAt: signature.signedAt, content: signature.content))
    }

    /// Enters the signatures of another book.
    package mutating func merge(_ other: SignatureBook) {
        for entry in other.entries.reversed() { enter(entry) }
    }

    private mutating func enter(_ entry: Entry) {
        let old = entries.first { $0.subject == entry.subject }
        entries.removeAll { $0.subject == entry.subject }
        entries.insert(old.flatMap { $0.signedAt >= entry.signedAt ? $0 : nil } ?? entry, at: 0)
        entries = Array(entries.prefix(Self.capacity))
    }

    private static func subject(_ url: String, _ key: PublicKey) -> String {
        CatalogDigest(of: Array("\(url)\n\(key)".utf8)).hexadecimal
    }
}

extension SignatureBook {
    /// The maximum length of the file, in bytes.
    package static let maximumBytes = 65_536

    /// The contents of the file in which the book is stored: one line of JSON.
    package var fileBytes: [UInt8] {
        JSONWriter.line { writer in
            writer.member("format", Self.format)
            writer.objects("signatures", of: entries) { writer, entry in
                writer.member("subject", entry.subject)
                writer.member("signedAt", entry.signedAt)
                writer.member("content", entry.content)
            }
        }
    }

    /// Reads what ``fileBytes`` wrote; nil for anything else.
    package init?(fileBytes: [UInt8]) {
        guard fileBytes.count <= Self.maximumBytes, let root = try? JSONDocument(fileBytes, maximumDepth: 4).root,
            root["format"]?.integer == Self.format
        else { return nil }
        for element in root["signatures"]?.elements.map(\.self).reversed() ?? [] {
            guard let subject = element["subject"]?.ascii(upTo: 64), let content = element["content"]?.ascii(upTo: 64),
                subject.utf8.count == 64, content.utf8.count == 64,
                let signedAt = element["signedAt"]?.time
            else { return nil }
            enter(Entry(subject: subject, signedAt: signedAt, content: content))
        }
        // A book has only one form, so a file in another form is damaged or foreign.
        guard self.fileBytes == fileBytes else { return nil }
    }
}
