import PromoWire
import Testing
import promoctl

/// What a status says of one catalog.
struct StatusOfCatalogTests {
    private static func status(_ error: String? = nil) -> StatusResult {
        let catalogs = [("default", 5), ("acme", 2), ("zed", 0)].map { name, apps in
            var refresh = RefreshStatus()
            refresh.url = "https://\(name).example/c.json"
            let freshness = Freshness(state: .loaded, source: .origin, generation: name)
            let alias = CatalogAlias(name: "also", file: "/b/catalogs.d/also.toml", error: "wrong")
            return CatalogStatus(
                name: name, file: "/a/catalogs.d/\(name).toml", error: error, freshness: freshness, apps: apps,
                refresh: refresh, cache: CacheStatus(path: "/cache/\(name)", isStored: true),
                aliases: name == "acme" ? [alias] : [])
        }
        let process = ProcessStatus(
            version: "1", epoch: "e", pid: 1, startedAt: Timestamp(seconds: 0), socketPath: "/s", configurationPath: nil
        )
        return StatusResult(
            process: process, freshness: catalogs[0].freshness, apps: 5, isOnline: true, refresh: catalogs[0].refresh,
            cache: catalogs[0].cache, counters: QueryCounters(), configuration: ConfigurationStatus(),
            catalogs: catalogs)
    }

    @Test func aCatalogIsFoundByItsNameOrAddress() {
        let status = Self.status()
        #expect(status.about(.name("acme"))?.apps == 2 && status.about(.name("also"))?.apps == 2)
        #expect(status.about(.address("https://zed.example/c.json"))?.cache.path == "/cache/zed")
        #expect(status.about(.name("no")) == nil && status.about(nil) == status)
    }

    @Test(arguments: [nil, "line 3: no value"])
    func anotherNameHasTheFileAndTheErrorOfItsOwn(firstError: String?) {
        func told(_ name: String) -> [String?] {
            let configuration = Self.status(firstError).about(.name(name))?.configuration
            return [configuration?.file, configuration?.error]
        }
        let first = ["/a/catalogs.d/acme.toml", firstError]
        #expect(told("acme") == first)
        // What keeps the catalog from being fetched counts for all of its names.
        #expect(told("also") == (firstError == nil ? ["/b/catalogs.d/also.toml", "wrong"] : first))
    }
}
