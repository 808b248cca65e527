extension String {
    /// The beginning of what somebody wrote, for a message.
    ///
    /// Unicode scalars are counted, for one character may hold any number of them.
    package func shortened(to scalars: Int = 64) -> String {
        String(unicodeScalars.prefix(scalars))
    }
}
