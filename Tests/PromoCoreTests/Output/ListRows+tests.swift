import PromoCore
import PromoTestSupport
import PromoWire

extension ListRows {
    /// The rows at some positions as an array.
    func text(_ ranges: [Range<Int>]) -> [UInt8] {
        var output = OutputQueue()
        output.array(of: self, ranges)
        return output.text
    }
}
