import PromoWire
import Testing

/// Reading results with members that are unknown, missing, null or of another type.
struct ResultMemberTests {
    @Test(arguments: try ResultSample.all)
    func unknownMembersAreIgnored(sample: ResultSample) throws {
        let known = try sample.read()
        #expect(known.isSame(as: try sample.read(sample.tree.withUnknownMembers())))
    }

    @Test(arguments: try ResultSample.all)
    func aRequiredMemberThatIsMissingOrNullIsNamed(sample: ResultSample) throws {
        for member in sample.members where !member.isOptional {
            for value in [nil, JSONTree.null] {
                let found = try sample.malformed(sample.tree.replacing(member.steps, with: value))
                #expect(found == member.name, "\(member.path)")
            }
        }
    }

    @Test(arguments: try ResultSample.all)
    func aMemberOfAnotherKindIsNamed(sample: ResultSample) throws {
        for member in sample.members {
            for text in member.kind.wrong {
                let value = JSONTree(try json(text))
                let found = try sample.malformed(sample.tree.replacing(member.steps, with: value))
                #expect(found == member.name, "\(member.path): \(text)")
            }
        }
    }

    @Test(arguments: try ResultSample.all)
    func anAbsentOptionalMemberCountsAsNull(sample: ResultSample) throws {
        let full = try sample.read()
        for member in sample.members where member.isOptional {
            let null = try sample.read(sample.tree.replacing(member.steps, with: .null))
            #expect(null.isSame(as: try sample.read(sample.tree.replacing(member.steps, with: nil))), "\(member.path)")
            #expect(!null.isSame(as: full), "\(member.path)")
        }
    }

    @Test(arguments: try ResultSample.all, ["[]", "null", "1", #""list""#, "true", "{}"])
    func anythingButTheResultsObjectIsRefused(sample: ResultSample, text: String) throws {
        #expect(try sample.malformed(JSONTree(try json(text))) != nil)
    }

    @Test func theErrorNamesTheMember() throws {
        let app = try json(#"{"app":"a"}"#)
        let error = #expect(throws: MalformedResult.self) { try LaunchResult(app) }
        #expect(error?.description.contains(#""firstLaunch""#) == true)
    }
}
