import Logging
import Synchronization

/// Logs about one catalog. If there are several catalogs, messages begin with its name, which its files may change.
final class CatalogLog: Sendable {
    /// Whether messages name the catalog.
    final class Naming: Sendable {
        private let value = Atomic(false)

        var isOn: Bool {
            get { value.load(ordering: .relaxed) }
            set { value.store(newValue, ordering: .relaxed) }
        }
    }

    private let logger: Logger
    private let currentName: Mutex<String>
    private let naming: Naming

    /// The catalog's name.
    var name: String {
        get { currentName.withLock { $0 } }
        set { currentName.withLock { $0 = newValue } }
    }

    init(logger: Logger, name: String, naming: Naming) {
        (self.logger, self.naming) = (logger, naming)
        currentName = Mutex(name)
    }

    func callAsFunction(
        _ event: JournalEvent, _ message: String, _ metadata: Logger.Metadata = [:], file: String = #fileID,
        function: String = #function, line: UInt = #line
    ) {
        let name = name
        logger.log(
            event, naming.isOn ? "\(name): \(message)" : message, metadata.merging(["catalog": "\(name)"]) { $1 },
            file: file, function: function, line: line)
    }
}
