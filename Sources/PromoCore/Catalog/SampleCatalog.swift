/// The catalog that ships with promod, for a look around: five apps with made-up store numbers.
package enum SampleCatalog {
    /// The catalog's bytes.
    package static var bytes: [UInt8] { PackageResources.sample_json }

    /// The picture for the address of an icon; nil for other addresses.
    package static func picture(at iconURL: String) -> [UInt8]? {
        switch iconURL {
        case "https://example.com/?icon=finebill": PackageResources.finebill_png
        case "https://example.com/?icon=bookary": PackageResources.bookary_png
        case "https://example.com/?icon=finepomo": PackageResources.finepomo_png
        case "https://example.com/?icon=stedio": PackageResources.stedio_png
        case "https://example.com/?icon=littory": PackageResources.littory_png
        default: nil
        }
    }
}
