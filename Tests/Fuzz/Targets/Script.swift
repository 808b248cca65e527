/// Choices that are made by bytes of the input; zeros when those are used up.
struct Script {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    /// Splits an input at its first NUL into bytes that are parsed and a script.
    static func split(_ input: [UInt8]) -> (stream: ArraySlice<UInt8>, script: Script) {
        let end = input.firstIndex(of: 0) ?? input.endIndex
        return (input[..<end], Script(input[end...].dropFirst()))
    }

    /// A number from 0 to `limit` - 1, with `limit` at most 256.
    mutating func number(below limit: Int) -> Int {
        Int(rest.popFirst() ?? 0) % limit
    }

    /// The length of the next piece of some bytes: usually short, sometimes everything.
    mutating func piece(of count: Int) -> Int {
        guard let byte = rest.popFirst(), byte < 224 else { return count }
        return min(count, 1 + Int(byte) % 32)
    }
}
