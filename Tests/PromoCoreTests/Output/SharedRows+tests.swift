import PromoCore

extension SharedRows {
    /// The rows as an array.
    var text: [UInt8] {
        var output = OutputQueue()
        output.array(of: self)
        return output.text
    }
}
