/// Why a text is not TOML, and where.
struct TOMLProblem: Error, Equatable {
    /// The number of the line, from 1.
    let line: Int
    /// The number of the byte in the line, from 1.
    let column: Int
    /// What is wrong, as a clause.
    let message: String
}
