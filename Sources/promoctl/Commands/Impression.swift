import ArgumentParser
import CrossPromoKit
import PromoWire

struct Impression: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Report that apps were seen; all of them or none.",
        discussion: "Example: promoctl impression bookary stedio --host finebill")

    @Argument(help: "The apps' ids, up to 100.")
    var apps: [String]

    @OptionGroup var host: HostOption
    @OptionGroup var catalog: CatalogOption
    @OptionGroup var options: CommonOptions

    func run() throws {
        let parameters = ImpressionParameters(apps: apps, host: host.host)
        try options.show(.impression(parameters), of: catalog, as: ImpressionResult.self) {
            "\($0.emitted.counting("impression")) reported."
        }
    }
}
