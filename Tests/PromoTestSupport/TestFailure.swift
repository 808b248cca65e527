/// What a test's own machinery could not do.
package struct TestFailure: Error, CustomStringConvertible {
    package let description: String

    /// A failure with its reason.
    package init(_ description: String) {
        self.description = description
    }
}
