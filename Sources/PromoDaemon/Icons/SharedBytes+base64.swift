import FoundationEssentials
package import PromoWire

extension SharedBytes {
    /// The base64 of some bytes.
    package convenience init(base64Of bytes: [UInt8]) {
        self.init(Array(Data(bytes).base64EncodedString().utf8))
    }
}
