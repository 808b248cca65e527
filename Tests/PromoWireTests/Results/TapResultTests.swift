import PromoWire
import Testing

/// The two forms of the result of `tap`.
struct TapResultTests {
    private static let storeURL = "https://apps.apple.com/app/id6470000002"

    @Test func withANetworkTheStoreIsPresented() {
        let result = TapResult(
            app: "bookary", appStoreID: "6470000002", storeURL: Self.storeURL, offlineMessage: nil)
        let expected =
            #"{"app":"bookary","appStoreID":"6470000002","presentation":"store","#
            + #""storeURL":"https://apps.apple.com/app/id6470000002"}"#
        #expect(written(result.write) == expected)
    }

    @Test func withoutANetworkTheMessageIsPresented() {
        let result = TapResult(
            app: "bookary", appStoreID: "6470000002", storeURL: Self.storeURL, offlineMessage: "\u{B2E4}\u{C2DC}")
        let expected =
            #"{"app":"bookary","appStoreID":"6470000002","presentation":"offline","message":"다시","#
            + #""storeURL":"https://apps.apple.com/app/id6470000002"}"#
        #expect(written(result.write) == expected)
    }
}
