import PromoWire

/// The names that a text has defined so far, since each may be defined only once.
struct TOMLTables {
    private enum Kind {
        /// A table that was only named as the parent of another one.
        case parent
        case header
        case dottedKey
        case value
        case list(count: Int)
    }

    private var kinds: [[OutsideText]: Kind] = [:]

    /// Defines the table of a header.
    /// - Returns: its path, in which an element of a list of tables is a name that begins with a NUL; nil if the name is taken.
    mutating func define(header parts: [OutsideText]) -> [OutsideText]? {
        guard let path = parents(of: parts) else { return nil }
        switch kinds[path] {
        case nil, .parent: kinds[path] = .header
        default: return nil
        }
        return path
    }

    /// Adds an element to a list of tables.
    /// - Returns: its path; nil if the name is taken.
    mutating func define(listHeader parts: [OutsideText]) -> [OutsideText]? {
        guard let path = parents(of: parts) else { return nil }
        switch kinds[path] {
        case nil: kinds[path] = .list(count: 1)
        case .list(let count): kinds[path] = .list(count: count + 1)
        default: return nil
        }
        return element(of: path)
    }

    /// Defines a key in a table.
    /// - Returns: its path; nil if the name is taken.
    mutating func define(key parts: [OutsideText], in table: [OutsideText]) -> [OutsideText]? {
        var path = table
        for part in parts.dropLast() {
            path.append(part)
            switch kinds[path] {
            case nil, .parent, .dottedKey: kinds[path] = .dottedKey
            default: return nil
            }
        }
        path += parts.suffix(1)
        guard kinds[path] == nil else { return nil }
        kinds[path] = .value
        return path
    }

    /// The path of a header, whose parents are defined if they are not yet; nil if one of them is no table.
    private mutating func parents(of parts: [OutsideText]) -> [OutsideText]? {
        var path: [OutsideText] = []
        for part in parts.dropLast() {
            path.append(part)
            switch kinds[path] {
            case nil: kinds[path] = .parent
            case .parent, .header, .dottedKey: break
            case .list: path = element(of: path)
            case .value: return nil
            }
        }
        return path + parts.suffix(1)
    }

    /// The path of the last element of a list; any other path is returned as it is.
    private func element(of path: [OutsideText]) -> [OutsideText] {
        if case .list(let count) = kinds[path] { path + ["\0\(count)"] } else { path }
    }
}
