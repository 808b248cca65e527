/// The result of `clear`.
package struct ClearResult: MethodResult, JSONObject, Equatable {
    mutating func visitMembers(_ member: inout MemberVisitor) {
        member.derived("cleared", true, "true")
    }

    /// The result, which is always the same.
    package init() {}
}

/// The result of `reload`, sent once the configuration is in force.
package struct ReloadResult: MethodResult, JSONObject, Equatable {
    mutating func visitMembers(_ member: inout MemberVisitor) {
        member.derived("reloaded", true, "true: the configuration is in force")
    }

    /// The result, which is always the same.
    package init() {}
}
