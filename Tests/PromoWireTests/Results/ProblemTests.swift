import PromoWire
import Testing

/// Problems, their codes and what is advised.
struct ProblemTests {
    @Test(arguments: ProblemCode.allCases)
    func everyCodeHasAdviceThatFitsOnTwoLines(code: ProblemCode) {
        #expect(code.advice.count > 10 && code.advice.count <= 250)
    }

    @Test func whoIsInAHotelIsNotToldToTrustItsCertificateFirst() {
        #expect(ProblemCode.untrusted.advice.hasPrefix("If this network has a sign-in page"))
    }

    @Test func theTextIsAPrintableSentence() {
        let problem = Problem(.directory, "/a\u{1B}", "/a\u{1B} cannot be written")
        #expect(!problem.subject.contains("\u{1B}") && !problem.text.contains("\u{1B}"))
        #expect(problem.text.hasSuffix("written."))
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
