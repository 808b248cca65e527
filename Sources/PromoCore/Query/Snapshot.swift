package import PromoWire

/// Everything that an answer is made from, published by the keeper as one immutable value.
package struct Snapshot: Sendable {
    /// All catalogs, in order of precedence.
    package var catalogs: [CatalogSnapshot] = []
    /// Whether the first one is also meant by names and addresses that no catalog has, as in a test of an app that names its own.
    package var isForEveryName = false
    /// What stands for a catalog while there is none.
    package var none = CatalogSnapshot()
    /// The files of catalogs that are not used.
    package var ignored: [IgnoredFile] = []
    /// What a person may have to know or fix, the most urgent first.
    package var problems: [Problem] = []
    /// The ids of the apps whose first launch is recorded.
    package var launched: Set<String> = []
    /// How often that set has changed.
    package var launches = 0

    /// Creates the snapshot of a daemon that has read nothing yet.
    package init() {
        none.isUnconfigured = true
    }
}
