import PromoSystem
import PromoWire

/// What a person does with the list on a terminal, as a value: keys go in, and what to do and what to draw come out.
struct MoreAppsMenu {
    /// What a key asks for.
    enum Action: Equatable {
        /// Tap the row at a position.
        case tap(Int)
        case retry, leave
    }

    /// Whether the terminal sends whole lines, and is not redrawn in place.
    let isByLine: Bool
    /// A sentence about the last action, below the list.
    var message: String?
    private(set) var selected = 0
    private var typed = ""

    init(isByLine: Bool) {
        self.isByLine = isByLine
    }

    /// Takes a key.
    /// - Parameter count: the number of rows.
    mutating func take(_ key: Keyboard.Key, count: Int) -> Action? {
        let number = typed
        selected = min(selected, max(count - 1, 0))
        typed = ""
        message = nil
        switch key {
        case .up: selected = max(selected - 1, 0)
        case .down: selected = min(selected + 1, max(count - 1, 0))
        case .digit(let digit): type(digit, after: number, count)
        // A line that is no number ends with this key, too.
        case .enter where selected < count && !(isByLine && number.isEmpty): return .tap(selected)
        case .retry: return .retry
        case .leave: return .leave
        case .enter, .other: break
        }
        return nil
    }

    /// A digit extends the number before it if there is such a row, else it begins a new one.
    private mutating func type(_ digit: Int, after number: String, _ count: Int) {
        for text in ["\(number)\(digit)", "\(digit)"] {
            guard let row = Int(text), 1...max(count, 1) ~= row else { continue }
            (selected, typed) = (row - 1, text)
            return
        }
    }

    /// The lines to draw, and the positions of the rows among them.
    func draw(
        _ content: MoreAppsContent, on terminal: Terminal, now: Timestamp
    ) -> (lines: [String], rows: Range<Int>) {
        let count = content.apps.count
        let selected = min(selected, max(count - 1, 0))
        let width = String(count).count
        // The mark, the number, and a blank each.
        let margin = isByLine ? width + 1 : width + 3
        var narrow = terminal
        narrow.columns = terminal.columns.map { $0 - margin }
        let rows = content.linesOfRows(on: narrow)
        let hint = MoreAppsContent.Notice(.hint, isByLine ? content.words.numbers : content.words.keys)
        var notices = content.notices(now: now)
        let loading = MoreAppsContent.Notice(.hint, content.words.loading)
        if content.isLoading, !notices.contains(loading) { notices.append(loading) }
        if let message { notices += message.split(separator: "\n").map { .init(.hint, String($0)) } }
        let below = notices.flatMap { $0.lines(on: terminal) } + hint.lines(on: terminal)
        let shown = window(of: rows, around: selected, in: terminal.lines.map { $0 - below.count - 1 })
        var lines: [String] = []
        for index in shown {
            let isSelected = !isByLine && index == selected
            let number = String(index + 1)
            let start =
                (isByLine ? "" : isSelected ? "> " : "  ") + String(repeating: " ", count: width - number.count)
                + number
            for (line, text) in rows[index].enumerated() {
                let blank = String(repeating: " ", count: margin)
                lines.append(
                    (line == 0 ? (isSelected ? Style.bold : .plain).applied(to: start, on: terminal) + " " : blank)
                        + text)
            }
        }
        return (lines + (lines.isEmpty ? [] : [""]) + below, shown)
    }

    /// The rows around the selected one that fit into a height.
    private func window(of rows: [[String]], around selected: Int, in height: Int?) -> Range<Int> {
        guard !isByLine, let height, let first = rows.first else { return rows.indices }
        let room = max(height / first.count, 1)
        let start = max(min(selected - room / 2, rows.count - room), 0)
        return start..<min(start + room, rows.count)
    }
}
