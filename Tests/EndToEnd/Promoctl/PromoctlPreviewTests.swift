import Foundation
import PromoTestSupport
import Testing

/// `promoctl page FILE`, which previews a catalog before it is published.
struct PromoctlPreviewTests {
    private let scratch: ScratchDirectory
    private var file: String { scratch("catalog.json") }

    init() throws {
        scratch = try ScratchDirectory()
    }

    @Test func thePageOfAFileShowsItsAppsWithThePicturesAtTheirAddresses() throws {
        let hers = try DaemonUnderTest(in: scratch)
        try scratch.write("catalog.json", SampleFile.renamed)
        let promoctl = PromoctlUnderTest(hers, environment: ["PROMOD_SOCKET": hers.socketPath])
        let page = try promoctl.run(
            "page", file, "--host", "bookary", "--catalog", "acme", "--output", scratch("page.html"))
        #expect((page.code, page.output, page.error) == (0, "", ""))
        let html = scratch.read("page.html")
        for part in ["FineBill Pro", "src=\"https://example.com/?icon=finebill\"", "img-src https:;"] {
            #expect(html.contains(part))
        }
        for part in ["Bookary", "class=\"sample\""] { #expect(!html.contains(part)) }
        let printed = try promoctl.run("page", file, "--host", "bookary", "--catalog", "acme", "--output", "-")
        #expect(printed.output == html)
        #expect(try promoctl.run("list", "--host", "bookary").output.contains("FineBill "))
        #expect(try ChildProcess.run(["pgrep", "-f", "catalog-file=\(file)"]).end == .exited(1), "its promod is left")
    }

    @Test func thePageOfABrokenFileIsThatOfValidate() throws {
        try scratch.write("catalog.json", "{\"apps\":[]")
        let promoctl = PromoctlUnderTest(in: scratch)
        let broken = try promoctl.run("page", file)
        #expect((broken.code, broken.output) == (65, ""))
        #expect(broken.error.contains("promod: \(file):1:11: "))
        #expect(try promoctl.run("page", scratch("none.json")).code == 66)
    }
}
