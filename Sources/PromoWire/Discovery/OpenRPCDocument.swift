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
            writer.member("methods", MethodTable.all)
            writer.object("components") { writer in
                writer.object("schemas") { writer in
                    for (name, schema) in schemas { writer.member(name, schema) }
                }
                writer.object("errors") { writer in
                    for reason in ErrorReason.allCases { writer.object(reason.rawValue, reason.describe) }
                }
            }
            writer.array("x-events") { writer in
                for event in ValueSchema.events {
                    writer.object { writer in
                        writer.member("name", event.name)
                        writer.member("title", event.schema.components[0].name)
                        writer.member("summary", event.meaning)
                        writer.member("params", event.schema)
                    }
                }
            }
        }
        return writer.bytes
    }()

    /// The named schemas of all parameters, results, errors and events, each once.
    private static var schemas: [(name: String, schema: ValueSchema)] {
        let roots = MethodTable.all.flatMap { [$0.parameterObject, $0.result] } + [.error, .anyEvent]
        var names: Set<String> = []
        return roots.flatMap(\.components).filter { names.insert($0.name).inserted }
    }

    private static let introduction = """
        JSON-RPC 2.0 on a Unix-domain stream socket. A message is one line of UTF-8 that ends with LF and has at most \
        \(Call.maximumLength) bytes. "params" is an object. Without "jsonrpc", parameters may be members of the \
        request itself: {"method":"list","host":"finebill"}. Programs should test "error.data.reason".
        """
}

extension MethodDescription: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", name)
            writer.member("summary", summary)
            writer.member("paramStructure", "by-name")
            writer.array("params") { writer in
                for parameter in parameters {
                    writer.object { writer in
                        writer.member("name", parameter.name)
                        writer.member("description", parameter.words)
                        writer.member("required", parameter.isRequired)
                        writer.member("schema", parameter.schema)
                    }
                }
            }
            writer.object("result") { writer in
                writer.member("name", "result")
                writer.member("schema", result)
            }
            // Not as references, which some generators do not support for errors.
            writer.array("errors") { writer in
                for reason in errors { writer.object(reason.describe) }
            }
        }
    }
}

extension ErrorReason {
    fileprivate func describe(to writer: inout JSONWriter) {
        writer.member("code", code)
        writer.member("message", meaning)
        writer.object("data") { $0.member("reason", rawValue) }
    }
}
