/// What an origin sent with a catalog's bytes so that it can be asked whether they changed.
package struct Validators: Equatable, Sendable {
    package var etag: String?
    package var lastModified: String?

    /// Validators as they came.
    package init(etag: String? = nil, lastModified: String? = nil) {
        self.etag = etag
        self.lastModified = lastModified
    }

    /// Whether there is nothing to ask with.
    package var isEmpty: Bool { etag == nil && lastModified == nil }
}
