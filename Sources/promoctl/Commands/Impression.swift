import ArgumentParser
import CrossPromoKit
import PromoWire

struct Impression: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Report that apps were seen; all of them or none.",
        discussion: "Example: promoctl impression bookary stedio --host finebill")

    @Argument(help: "The apps' ids, up to 100.", completion: .appIDs)
    var apps: [String]

    @OptionGroup var host: HostOption
    @OptionGroup var catalog: CatalogOption
    @OptionGroup var options: CommonOptions

    func run() throws {
        let parameters = ImpressionParameters(apps: apps, host: host.host)
        let emitted = { (json: JSONValue) throws(MalformedResult) in try json.integer("emitted") }
        try options.show(.impression(parameters), of: catalog, reading: emitted) {
            "\($0.counting("impression")) reported."
        }
    }
}
