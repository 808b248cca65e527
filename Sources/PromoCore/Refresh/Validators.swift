/// What an origin sent with a catalog's bytes so that it can be asked whether they changed.
package struct Validators: Equatable, Sendable {
    package var etag: String?
    package var lastModified: String?

    /// Validators as they came.
    package init(etag: String? = nil, lastModified: String? = nil) {
        self.etag = etag
        self.lastModified = lastModified
    }

    /// The longest validator, in bytes: it is kept on disk and sent back each time.
    package static let maximumLength = 1024

    /// Validators as an origin sent them, without those that are too long.
    package init(received etag: String?, lastModified: String?) {
        func short(_ value: String?) -> String? { value.flatMap { $0.utf8.count <= Self.maximumLength ? $0 : nil } }
        self.init(etag: short(etag), lastModified: short(lastModified))
    }

    /// Whether there is nothing to ask with.
    package var isEmpty: Bool { etag == nil && lastModified == nil }
}
