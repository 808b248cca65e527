/// The OpenRPC document that `rpc.discover` returns, generated from ``MethodTable``.
package enum OpenRPCDocument {
    /// The document as JSON.
    package static let json: [UInt8] = {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("openrpc", "1.3.2")
            writer.object("info") { writer in
                writer.member("title", "promod")
                writer.member("version", Version.current)
                writer.member("description", introduction)
                writer.object("license") { $0.member("name", "MIT") }
            }
            writer.array("methods") { writer in
                for method in MethodTable.all { write(method, to: &writer) }
            }
            writer.object("components") { writer in
                writer.object("schemas") { writer in
                    for (name, schema) in schemas {
                        writer.name(name)
                        schema.write(to: &writer, title: name)
                    }
                }
                writer.object("errors") { writer in
                    for reason in ErrorReason.allCases {
                        writer.name(reason.rawValue)
                        write(reason, to: &writer)
                    }
                }
            }
            writer.array("x-events") { writer in
                for event in ValueSchema.events { write(event, to: &writer) }
            }
        }
        return writer.bytes
    }()

    /// The schema of the document.
    static let schema = ValueSchema.object([
        .init("openrpc", .string, "the version of OpenRPC"),
        .init("info", .object([]), "the name and version of the daemon"),
        .init("methods", .array(.object([])), "the methods"),
        .init("components", .object([]), "the schemas and the errors"),
        .init("x-events", .array(.object([])), "the events that subscribe sends"),
    ]).named("DiscoverResult")

    /// The named schemas of all results and events, each once.
    private static var schemas: [(name: String, schema: ValueSchema)] {
        let roots = MethodTable.all.map(\.result) + ValueSchema.events.map(\.params)
        var names: Set<String> = []
        return roots.flatMap(\.components).filter { names.insert($0.name).inserted }
    }

    private static let introduction = """
        JSON-RPC 2.0 on a Unix-domain stream socket. A message is one line of UTF-8 that ends with LF and has at most \
        \(Message.maximumLength) bytes. "params" is an object. Without "jsonrpc", parameters may be members of the \
        request itself: {"method":"list","host":"finebill"}. Programs should test "error.data.reason".
        """

    private static func write(_ method: MethodDescription, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", method.name)
            writer.member("summary", method.summary)
            writer.member("paramStructure", "by-name")
            writer.array("params") { writer in
                for parameter in method.parameters { write(parameter, to: &writer) }
            }
            writer.object("result") { writer in
                writer.member("name", "result")
                writer.member("schema", method.result)
            }
            writer.array("errors") { writer in
                // Not as references, which some generators do not support for errors.
                for reason in method.errors { write(reason, to: &writer) }
            }
        }
    }

    private static func write(_ parameter: ParameterDescription, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", parameter.name)
            writer.member("description", parameter.words)
            writer.member("required", parameter.isRequired)
            writer.object("schema") { parameter.schema.write(members: &$0, limits: parameter.limits) }
        }
    }

    private static func write(_ event: EventDescription, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", event.name)
            writer.member("title", event.title)
            writer.member("summary", event.summary)
            writer.member("params", event.params)
        }
    }

    private static func write(_ reason: ErrorReason, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("code", reason.code)
            writer.member("message", reason.meaning)
            writer.object("data") { $0.member("reason", reason.rawValue) }
        }
    }
}
