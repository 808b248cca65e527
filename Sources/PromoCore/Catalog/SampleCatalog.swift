/// The catalog that ships with promod and is served while no URL is configured: five apps with made-up store numbers.
package enum SampleCatalog {
    /// Its bytes.
    package static var bytes: [UInt8] { PackageResources.sample_json }
}
