import PromoWire

extension Fixture {
    /// Texts that are https addresses, and texts that are none.
    enum URLs {
        static let accepted = texts("accepted")
        static let refused = texts("refused")

        private static func texts(_ name: String) -> [String] {
            let document = try? JSONDocument(bytes("https-urls.json"), maximumDepth: 2)
            return document?.root[name]?.elements.compactMap(\.string) ?? []
        }
    }
}
