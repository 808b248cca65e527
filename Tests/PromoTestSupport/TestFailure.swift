/// The error for a failure of the test support itself.
package struct TestFailure: Error, CustomStringConvertible {
    package let description: String

    /// Creates a failure with its reason.
    package init(_ description: String) {
        self.description = description
    }
}
