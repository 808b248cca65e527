package import PromoWire

/// A file that configures a catalog, valid or not.
package struct CatalogEntry: Equatable, Sendable {
    package let name: String
    /// The path of the file; nil if only the command line or the environment configures the catalog.
    package let file: String?
    package var settings = CatalogSettings()
    /// The path of the catalog that a package may bring beside the file.
    package var bundled: String?
    /// What is wrong in the file, because of which the catalog is not fetched; nil if nothing is.
    package var problem: String?

    /// An entry without settings yet.
    package init(name: String, file: String?) {
        (self.name, self.file) = (name, file)
    }
}

/// The catalogs of the names whose files were valid last, so that one with a broken file is still served from its cache.
package struct KnownCatalogs: Equatable, Sendable, FileContents {
    package static let noun = "list of catalogs' names"

    /// A catalog, by its directory in the cache and its address.
    package struct Catalog: Equatable, Sendable {
        package let digest: String
        /// The address without user and password.
        package let url: HTTPSURL

        /// A catalog by its directory and its address, which may have a user and a password.
        package init(digest: String, url: HTTPSURL) {
            (self.digest, self.url) = (digest, url.withoutCredentials)
        }
    }

    package var catalogs: [String: Catalog] = [:]

    /// No catalogs.
    package init() {}

    package var fileBytes: [UInt8] {
        JSONWriter.line { writer in
            writer.objects("names", of: catalogs.sorted { $0.key < $1.key }) { writer, known in
                writer.member("name", known.key)
                writer.member("digest", known.value.digest)
                writer.member("url", known.value.url.requestText)
            }
        }
    }

    package init?(fileBytes: [UInt8]) {
        guard let root = try? JSONDocument(fileBytes, maximumDepth: 4).root, let names = root["names"] else {
            return nil
        }
        for json in names.elements {
            guard let name = json["name"]?.ascii(upTo: CatalogReference.maximumLength), CatalogReference.isName(name),
                let digest = json["digest"]?.ascii(upTo: CatalogDigest.shortLength),
                CatalogDigest.isShort(digest),
                let url = json["url"]?.ascii(upTo: HTTPSURL.maximumLength).flatMap(HTTPSURL.init)
            else { return nil }
            catalogs[name] = Catalog(digest: digest, url: url)
        }
    }
}
