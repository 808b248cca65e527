import Foundation
import PromoTestSupport
import Testing

/// `promoctl launch` and `promoctl review`.
struct PromoctlReviewTests {
    private static let page = "https://example.com/?app=bookary"
    private static let time = shortTime

    private let origin: NginxOrigin

    init() throws {
        origin = try NginxOrigin()
    }

    /// A promoctl for a daemon that recorded the first launch of some apps 8 days ago.
    private func promoctl(launched apps: String...) throws -> (DaemonUnderTest, PromoctlUnderTest) {
        let scratch = try ScratchDirectory()
        try ReviewHistoryFile(scratch: scratch).write(apps: apps, launchedDaysAgo: 8)
        let daemon = try DaemonUnderTest.keeping(origin, in: scratch)
        return (daemon, PromoctlUnderTest(daemon))
    }

    @Test func theFirstLaunchIsRecordedOnce() throws {
        let promoctl = PromoctlUnderTest(try DaemonUnderTest(catalog: DaemonUnderTest.unfetched))
        let first = try promoctl.run("launch", "fittoday")
        #expect(first.output.matches("The first launch of fittoday is recorded: \(Self.time), a moment ago.\n"))
        let second = try promoctl.run("launch", "fittoday")
        #expect(second.output.matches("fittoday was first launched before: \(Self.time), a moment ago.\n"))
        #expect([first.code, second.code] == [0, 0])
        let json = try promoctl.run("launch", "fittoday", "--json").json
        #expect(json["recorded"] as? Bool == false)
        let refused = try promoctl.run("launch", "Fit Today")
        #expect((refused.code, refused.output) == (65, ""))
    }

    @Test func anEligibleAppIsAYes() throws {
        let (daemon, promoctl) = try promoctl(launched: "bookary")
        let yes = try promoctl.run("review", "eligible", "bookary", "--completed", "3")
        #expect((yes.code, yes.output, yes.error) == (0, "bookary may ask for a review now.\n", ""))
        let json = try promoctl.run("review", "eligible", "bookary", "--completed", "3", "--json")
        #expect(
            (json.code, json.output)
                == (0, #"{"app":"bookary","eligible":true,"reasons":[],"eligibleAt":null}"# + "\n"))
        #expect(try daemon.history.requests(of: "bookary") == [])
    }

    @Test func aNoSaysWhyInWordsAndWhatToDo() throws {
        let promoctl = PromoctlUnderTest(try DaemonUnderTest(catalog: DaemonUnderTest.unfetched))
        // `eligible` prints the no as its result, `request` as an error.
        let never = try promoctl.run("review", "eligible", "bookary", "--completed", "1")
        #expect((never.code, never.error) == (1, ""))
        #expect(never.output.contains("bookary") && never.output.contains("(1 of 3)"))
        #expect(never.output.contains("promoctl launch bookary"))
        let refused = try promoctl.run("review", "request", "bookary", "--completed", "1")
        #expect((refused.code, refused.output) == (1, ""))
        #expect(refused.error.hasPrefix("promoctl: ") && refused.error.contains("(1 of 3)"))
        #expect(try promoctl.run("launch", "bookary").code == 0)
        let number = ["--app-store-id", "7"]
        let early = try promoctl.run(["review", "request", "bookary", "--completed", "3"] + number)
        #expect((early.code, early.output) == (1, ""))
        #expect(
            early.error.matches(".*first launch is too recent.* \(Self.time), in 7 days.\n"),
            "\(early.error)")
        let json = try promoctl.run(["review", "request", "bookary", "--completed", "2", "--json"] + number)
        #expect((json.code, json.error) == (1, ""))
        #expect(try json.json["reasons"] as? [String] == ["too-few-completions", "too-soon-after-first-launch"])
        #expect(try json.json["granted"] as? Bool == false)
    }

    @Test func aGrantPrintsThePageAndTheNextQuestionIsANo() throws {
        let (daemon, promoctl) = try promoctl(launched: "bookary")
        let grant = try promoctl.run("review", "request", "bookary", "--completed", "3")
        #expect((grant.code, grant.output, grant.error) == (0, Self.page + "\n", ""))
        #expect(try daemon.history.requests(of: "bookary").count == 1)
        let again = try promoctl.run("review", "request", "bookary", "--completed", "3")
        let words = "promoctl: .*bookary.* the last request is too recent.* \(Self.time), in 30 days.\n"
        #expect(again.error.matches(words), "\(again.error)")
        #expect((again.code, again.output) == (1, ""))
    }

    @Test func withoutAPageNothingIsGrantedAndTheRefusalSaysHowToGiveOne() throws {
        let (daemon, promoctl) = try promoctl(launched: "fittoday")
        for command in ["request", "eligible"] {
            let refused = try promoctl.run("review", command, "fittoday", "--completed", "3")
            #expect(refused.code == 1)
            #expect(
                (refused.output + refused.error).contains(
                    "no page for writing it is known. Give its address with --page"))
        }
        #expect(try daemon.history.requests(of: "fittoday") == [])
        let page = "https://example.com/review"
        let granted = try promoctl.run("review", "request", "fittoday", "--completed", "3", "--page", page)
        #expect((granted.code, granted.output) == (0, page + "\n"))
        let numbered = try promoctl.run("review", "eligible", "other", "--completed", "3", "--app-store-id", "7")
        #expect(numbered.code == 1 && !numbered.output.contains("no page"))
    }

    @Test func aResetForgetsAnApp() throws {
        let (daemon, promoctl) = try promoctl(launched: "bookary")
        #expect(try promoctl.run("review", "request", "bookary", "--completed", "3").code == 0)
        #expect(try daemon.history.requests(of: "bookary").count == 1)
        let reset = try promoctl.run("review", "reset", "bookary")
        #expect((reset.code, reset.error) == (0, ""))
        #expect(try daemon.reviewEligible("bookary").reasons == ["never-launched"])
        #expect(try promoctl.run("review", "reset", "bookary").output.contains("nothing to forget"))
    }

    @Test func theGrantedPageIsOpenedOnTheDesktop() throws {
        let desktop = try DesktopUnderTest()
        let (_, plain) = try promoctl(launched: "bookary", "stedio")
        let promoctl = plain.with(["PATH": desktop.path])
        let grant = try promoctl.run("review", "request", "bookary", "--completed", "3", "--open")
        #expect((grant.code, grant.output, grant.error) == (0, "", ""))
        #expect(desktop.opened == [Self.page])
        #expect(try promoctl.run("review", "request", "bookary", "--completed", "3", "--open").code == 1)
        #expect(desktop.opened == [Self.page])
        let json = try promoctl.run("review", "request", "stedio", "--completed", "3", "--open", "--json")
        #expect(try json.json["granted"] as? Bool == true)
        #expect(desktop.opened.count == 2)
    }

    @Test func aGrantWhosePageCannotBeOpenedCountsAndThePageIsPrinted() throws {
        let desktop = try DesktopUnderTest(exitCode: 4)
        let (_, plain) = try promoctl(launched: "bookary")
        let promoctl = plain.with(["PATH": desktop.path])
        let grant = try promoctl.run("review", "request", "bookary", "--completed", "3", "--open")
        #expect((grant.code, grant.output) == (0, Self.page + "\n"))
        #expect(grant.error == "promoctl: xdg-open could not open the page; here is its address.\n")
        #expect(try promoctl.run("review", "request", "bookary", "--completed", "3", "--open").code == 1)
    }

    @Test func aHistoryThatCannotBeUsedExitsWith65AndNot1() throws {
        let scratch = try ScratchDirectory()
        try FileManager.default.createDirectory(
            atPath: ReviewHistoryFile(scratch: scratch).path, withIntermediateDirectories: true)
        let promoctl = PromoctlUnderTest(try DaemonUnderTest(in: scratch, catalog: DaemonUnderTest.unfetched))
        for arguments in [["launch", "bookary"], ["review", "request", "bookary", "--completed", "3"]] {
            let ran = try promoctl.run(arguments)
            #expect((ran.code, ran.output) == (65, ""))
            #expect(ran.error.hasPrefix("promoctl: "))
        }
    }
}
