import PromoTestSupport
import PromoWire
import Testing

/// The members that a client may rely on are those of the first promod with this protocol, so that it reads the results of an older
/// promod, and an older client those of this one.
struct RequiredMemberTests {
    private static let required = [
        "App": "id name appStoreID iconURL category tagline storeURL",
        "CatalogEvent": "seq event at catalog state generation",
        "CatalogStatus":
            "name file url state source generation fetchedAt expiresAt apps nextAt nextReason attempts failures lastAttemptAt lastOutcome lastError refreshing",
        "ClearResult": "cleared",
        "ErrorData": "reason",
        "Failure": "code message",
        "IconResult": "app mediaType data",
        "IconsEvent": "seq event at catalog stored",
        "ImpressionEvent": "seq event at catalog app host",
        "ImpressionResult": "emitted",
        "LaggedEvent": "seq event",
        "LaunchResult": "app firstLaunch recorded",
        "ListResult": "state source generation fetchedAt expiresAt canRetry retryAt hostKnown language apps",
        "OtherEvent": "seq event",
        "Problem": "code subject text advice since",
        "RefreshResult": "outcome generation error retryAt",
        "ReloadResult": "reloaded",
        "RequestError": "code message data",
        "ReviewEligibleResult": "app eligible reasons eligibleAt",
        "ReviewRequestResult": "app granted reasons eligibleAt reviewURL",
        "ReviewResetResult": "app reset",
        "SocketStatus": "path connections subscribers",
        "StatusResult": "version protocol pid startedAt epoch online problems catalogs socket requests",
        "SubscribeResult": "subscribed epoch since",
        "TapEvent": "seq event at catalog app host",
        "TapResult": "app appStoreID presentation storeURL",
    ]

    @Test func noMemberBecomesRequiredAndNoneOptional() throws {
        let schemas = try #require(try OpenRPC().root["components"]?["schemas"]).members
        let named = schemas.map { ($0.string ?? "", $1["required"]?.elements.compactMap(\.string) ?? []) }
        let found = named.filter { !$0.hasSuffix("Parameters") && !$1.isEmpty }.map { ($0, $1.joined(separator: " ")) }
        #expect(Dictionary(uniqueKeysWithValues: found) == Self.required)
    }

    @Test func aMapRequiresNoKeyExceptTheEnglishTagline() throws {
        let document = try OpenRPC()
        let app = try #require(document.resolve("#/components/schemas/App/properties"))
        let status = try #require(document.resolve("#/components/schemas/StatusResult/properties"))
        let maps = [
            app["categories"], app["tagline"]?["oneOf"]?.elements.first { $0["type"]?.isString("object") == true },
        ]
        for map in maps { #expect(map?["additionalProperties"]?["type"]?.string == "string") }
        #expect(maps.map { $0?["required"]?.elements.compactMap(\.string) } == [nil, ["en"]])
        #expect(status["requests"]?["additionalProperties"]?["type"]?.string == "integer")
        #expect(status["requests"]?["required"] == nil)
    }
}
