import Logging
import Synchronization

/// Logs about one catalog. If there are several catalogs, messages begin with its name.
struct CatalogLog: Sendable {
    /// Whether messages name the catalog.
    final class Naming: Sendable {
        private let value = Atomic(false)

        var isOn: Bool {
            get { value.load(ordering: .relaxed) }
            set { value.store(newValue, ordering: .relaxed) }
        }
    }

    let logger: Logger
    let name: String
    let naming: Naming

    func callAsFunction(
        _ event: JournalEvent, _ message: String, _ metadata: Logger.Metadata = [:], file: String = #fileID,
        function: String = #function, line: UInt = #line
    ) {
        logger.log(
            event, naming.isOn ? "\(name): \(message)" : message, metadata.merging(["catalog": "\(name)"]) { $1 },
            file: file, function: function, line: line)
    }
}
