import Foundation
import PromoWire
import Testing

/// Problems, their codes and what is advised.
struct ProblemTests {
    @Test(arguments: ProblemCode.allCases)
    func everyCodeHasAdviceThatFitsOnTwoLines(code: ProblemCode) {
        #expect((11...250).contains(code.advice(for: AdvisedCatalog()).count))
    }

    @Test func whoIsInAHotelIsNotToldToTrustItsCertificateFirst() {
        #expect(ProblemCode.untrusted.advice(for: AdvisedCatalog()).hasPrefix("If this network has a sign-in page"))
    }

    private func acme(file: String? = "/c/acme.toml", address: String? = "https://acme.example/c") -> AdvisedCatalog {
        var catalog = AdvisedCatalog()
        (catalog.name, catalog.file, catalog.address) = ("acme", file, address)
        return catalog
    }

    @Test(arguments: ProblemCode.allCases) func noAdviceChangesAnotherCatalog(code: ProblemCode) {
        let advice = code.advice(for: acme())
        for command in ["setup", "refresh"] {
            let parts = advice.components(separatedBy: "promoctl \(command)").dropFirst()
            #expect(
                parts.allSatisfy { $0.contains(" --catalog acme") || $0.hasPrefix("\" after a change") }, "\(advice)")
        }
    }

    @Test func adviceNamesTheFileAndTheAddressThatAreInForce() {
        var catalog = acme()
        let setup = "/c/acme.toml with: promoctl setup ADDRESS --catalog acme"
        for code in [ProblemCode.notFound, .redirect, .moved] {
            #expect(code.advice(for: catalog).hasSuffix(" replace \(setup)"))
        }
        for code in [ProblemCode.proxy, .untrusted] { #expect(code.advice(for: catalog).contains(" in /c/acme.toml")) }
        for code in [ProblemCode.json, .schema] {
            #expect(code.advice(for: catalog).contains("\"promoctl validate https://acme.example/c\""))
            #expect(code.advice(for: acme(address: nil)).contains("\"promoctl validate\" with its address"))
        }
        catalog.isOfPackage = true
        #expect(ProblemCode.moved.advice(for: catalog).hasPrefix("The next version of the package with /c/acme.toml "))
        #expect(ProblemCode.moved.advice(for: catalog).hasSuffix(" override \(setup)"))
        #expect(ProblemCode.notFound.advice(for: acme(file: nil)).contains("in --catalog-url"))
    }

    @Test func whoSetsACatalogUpIsToldOfTheOptions() {
        #expect(ProblemCode.notFound.adviceBeforeSetup.hasSuffix(" give the right one."))
        #expect(ProblemCode.untrusted.adviceBeforeSetup.hasSuffix(" is set by --ca-file."))
        #expect(ProblemCode.proxy.adviceBeforeSetup.contains(" --proxy, "))
        #expect(
            ProblemCode.untrusted.advice(for: AdvisedCatalog()).hasSuffix(" is set by network.ca-file in config.toml."))
    }

    @Test func whoIsOfflineIsNotAskedWhetherSheIs() {
        var catalog = acme()
        catalog.isOnline = false
        for code in [ProblemCode.dns, .connect, .expired] {
            #expect(code.advice(for: catalog).contains("offline") || code.advice(for: catalog).contains("online again"))
            #expect(!code.advice(for: catalog).contains("whether this machine is online"))
        }
    }

    @Test func theTextIsAPrintableSentence() {
        let problem = Problem(.directory, "/a\u{1B}", "/a\u{1B} cannot be written")
        #expect(!problem.subject.contains("\u{1B}"))
        #expect(problem.text == "\(problem.subject) cannot be written.")
    }
}

/// The state in one line.
struct HeadlineTests {
    private func line(_ catalogs: [CatalogStatus], _ problems: [Problem] = []) -> String {
        var status = StatusResult()
        (status.catalogs, status.problems) = (catalogs, problems)
        return status.headline { $0.rfc3339 }
    }

    private func catalog(_ source: Freshness.Source, apps: Int = 5, next: Int64? = 200) -> CatalogStatus {
        var catalog = CatalogStatus()
        let time = source == .origin ? Timestamp(seconds: 100) : nil
        catalog.freshness = Freshness(state: .fresh, source: source, generation: nil, fetchedAt: time)
        (catalog.apps, catalog.nextAt) = (apps, next.map(Timestamp.init(seconds:)))
        return catalog
    }

    @Test func itSaysWhatIsServedAndWhatComesNext() {
        #expect(
            line([catalog(.origin)])
                == "5 apps, fetched 1970-01-01T00:01:40Z, next refresh 1970-01-01T00:03:20Z")
        #expect(line([catalog(.sample, next: nil)]) == "the sample of 5 apps")
        #expect(line([catalog(.bundled, apps: 1, next: nil)]) == "1 app of the package's file, not fetched yet")
        #expect(line([catalog(.none, next: nil)]) == "no catalog yet")
        #expect(line([]) == "no catalog is configured")
        #expect(
            line([catalog(.origin), catalog(.origin, next: nil)])
                == "2 catalogs with 10 apps, next refresh 1970-01-01T00:03:20Z")
        var fetching = catalog(.none, next: nil)
        fetching.isRefreshing = true
        #expect(line([fetching]) == "no catalog yet, fetching")
    }

    @Test func itEndsWithTheFirstProblem() {
        let (dns, disk) = (Problem(.dns, "a", "No name"), Problem(.diskFull, "/c", "No room"))
        #expect(line([catalog(.sample, next: nil)], [dns]) == "the sample of 5 apps; problem: No name.")
        #expect(
            line([catalog(.sample, next: nil)], [disk, dns]) == "the sample of 5 apps; 2 problems, the first: No room.")
    }
}
