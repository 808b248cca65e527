package import PromoWire

/// A file that configures a catalog, valid or not.
package struct CatalogEntry: Equatable, Sendable {
    package let name: String
    /// The path of the file; nil if only the command line or the environment configures the catalog.
    package let file: String?
    package var settings = CatalogSettings()
    /// The path of the catalog that a package may bring beside the file.
    package var bundled: String?
    /// What is wrong in the file, so that the catalog is not fetched; nil if nothing is.
    package var problem: String?

    /// An entry without settings yet.
    package init(name: String, file: String?) {
        (self.name, self.file) = (name, file)
    }
}

/// What each name's file said when it was last valid, so that a broken one is still served from its cache, to its own apps.
package struct KnownCatalogs: Equatable, Sendable, FileContents {
    package static let noun = "list of catalogs' names"
    /// The most names that are remembered.
    package static let maximumCount = 256

    /// A catalog, by its directory in the cache, its address and the apps whose catalog it is.
    package struct Catalog: Equatable, Sendable {
        package let digest: String
        /// The address without user and password.
        package let url: HTTPSURL
        package let hosts: [String]

        /// A catalog by its directory, its address, which may have a user and a password, and its apps.
        package init(digest: String, url: HTTPSURL, hosts: [String]) {
            (self.digest, self.url, self.hosts) = (digest, url.withoutCredentials, hosts)
        }
    }

    package var catalogs: [String: Catalog] = [:]

    /// No catalogs.
    package init() {}

    /// The names whose directories in the cache are among these.
    package func keeping(_ digests: Set<String>) -> KnownCatalogs {
        var kept = self
        kept.catalogs = catalogs.filter { digests.contains($0.value.digest) }
        return kept
    }

    package var fileBytes: [UInt8] {
        JSONWriter.line { writer in
            writer.objects("names", of: catalogs.sorted { $0.key < $1.key }) { writer, known in
                writer.member("name", known.key)
                writer.member("digest", known.value.digest)
                writer.member("url", known.value.url.requestText)
                writer.array("hosts") { writer in
                    for host in known.value.hosts { writer.value(host) }
                }
            }
        }
    }

    package init?(fileBytes: [UInt8]) {
        guard let root = try? JSONDocument(fileBytes, maximumDepth: 5).root, let names = root["names"] else {
            return nil
        }
        for json in names.elements {
            guard let name = json["name"]?.ascii(upTo: CatalogReference.maximumLength), CatalogReference.isName(name),
                let digest = json["digest"]?.ascii(upTo: Digest.shortLength),
                Digest.isDigits(digest),
                let url = json["url"]?.ascii(upTo: HTTPSURL.maximumLength).flatMap(HTTPSURL.init)
            else { return nil }
            let hosts = json["hosts"]?.elements.map { AppID.id(in: $0) } ?? []
            guard !hosts.contains(nil) else { return nil }
            catalogs[name] = Catalog(digest: digest, url: url, hosts: hosts.compactMap(\.self))
        }
    }
}
