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
    /// How many rows are shown at a time.
    private var page = 1

    init(isByLine: Bool) {
        self.isByLine = isByLine
    }

    /// Takes a key.
    /// - Parameter count: the number of rows.
    mutating func take(_ key: Keyboard.Key, count: Int) -> Action? {
        if key == .redraw { return nil }
        let number = typed
        let last = max(count - 1, 0)
        selected = min(selected, last)
        typed = ""
        message = nil
        switch key {
        case .up: selected = max(selected - 1, 0)
        case .down: selected = min(selected + 1, last)
        case .pageUp: selected = max(selected - page, 0)
        case .pageDown: selected = min(selected + page, last)
        case .home: selected = 0
        case .end: selected = last
        case .digit(let digit): type(digit, after: number, count)
        // A line that is no number ends with this key, too.
        case .enter where selected < count && !(isByLine && number.isEmpty): return .tap(selected)
        case .retry: return .retry
        case .leave: return .leave
        case .enter, .redraw, .other: break
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
    mutating func draw(
        _ content: MoreAppsContent, on terminal: Terminal, now: Timestamp
    ) -> (lines: [String], rows: Range<Int>) {
        let count = content.apps.count
        let selected = min(selected, max(count - 1, 0))
        let width = String(count).count
        // The mark, the number, and a blank each.
        let margin = isByLine ? width + 1 : width + 3
        var narrow = terminal
        narrow.columns = terminal.columns.map { $0 - margin }
        let layout = content.layout(on: narrow)
        let height = isByLine ? nil : terminal.lines
        let below = below(content, beside: count * layout.height, in: height, on: terminal, now: now)
        let shown = window(of: count, around: selected, in: height.map { ($0 - below.count) / layout.height })
        page = shown.count
        let lines = shown.flatMap { index in
            let isSelected = !isByLine && index == selected
            let mark = isByLine ? "" : isSelected ? "> " : "  "
            let number = String(index + 1)
            let start = mark + String(repeating: " ", count: width - number.count) + number
            let blank = String(repeating: " ", count: margin)
            return content.lines(of: content.apps[index], in: layout, on: narrow).enumerated().map { line, text in
                (line == 0 ? (isSelected ? Style.bold : .plain).applied(to: start, on: terminal) + " " : blank) + text
            }
        }
        return (lines.prefix(height.map { max($0 - below.count, 0) } ?? .max) + below, shown)
    }

    /// What is below the rows: all of it, or else, in what the rows leave and at least a third of the height, the answer to the last key,
    /// and what there is room for, the keys last.
    /// - Parameter rows: the lines of all rows.
    private func below(
        _ content: MoreAppsContent, beside rows: Int, in height: Int?, on terminal: Terminal, now: Timestamp
    ) -> [String] {
        var notices = content.notices(now: now)
        let loading = MoreAppsContent.Notice(.hint, content.words.loading)
        if content.isLoading, !notices.contains(loading) { notices.append(loading) }
        let answer = (message ?? "").split(separator: "\n").map { MoreAppsContent.Notice(.hint, String($0)) }
        let hint = isByLine ? content.words.numbers : content.keys
        let parts = (notices + [.init(.hint, hint)]).map { $0.lines(on: terminal) }
        let answerLines = answer.flatMap { $0.lines(on: terminal) }
        let all = (rows > 0 ? [""] : []) + parts.dropLast().joined() + answerLines + (parts.last ?? [])
        guard let height, rows + all.count > height else { return all }
        var room = max(height - rows, height / 3) - answerLines.count
        let kept = parts.map { lines -> [String] in
            // What matters less does not take the place of what matters more.
            room = lines.count <= room ? room - lines.count : -1
            return room < 0 ? [] : lines
        }
        return kept.dropLast().flatMap(\.self) + answerLines + (kept.last ?? [])
    }

    /// The rows around the selected one for which there is room.
    private func window(of count: Int, around selected: Int, in room: Int?) -> Range<Int> {
        guard let room = room.map({ max($0, 1) }) else { return 0..<count }
        let start = max(min(selected - room / 2, count - room), 0)
        return start..<min(start + room, count)
    }
}
