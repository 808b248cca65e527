import Glibc
import PromoWire

/// The results as an SVG for light and dark pages, without external resources.
struct Picture {
    private static let width = 880, margin = 24, left = 96, chart = 640, height = 72, row = 138
    /// The time that is shown after the event.
    private static let shown = Duration.days(3)

    private let results: [Result]
    private let fleet: Int

    init(_ results: [Result], _ fleet: Int) {
        self.results = results
        self.fleet = fleet
    }

    var text: String {
        var lines = [
            Self.text(Self.margin, 38, "A fleet of \(Self.number(fleet)) daemons", "title"),
            Self.text(
                Self.margin, 60,
                "Requests a minute, at the busiest of every five. Right: the busiest minute in multiples of the mean.",
                "muted"),
        ]
        for (index, result) in results.enumerated() { lines += draw(result, 80 + index * Self.row) }
        let height = 80 + results.count * Self.row + 8
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.width) \(height)" width="\(Self.width)" \
            height="\(height)" role="img">
            <title>The requests of \(fleet) daemons to their origin</title>
            <style>\(Self.style)</style>
            <rect class="page" width="\(Self.width)" height="\(height)" rx="6"/>
            \(lines.joined(separator: "\n"))
            </svg>

            """
    }

    // MARK: A scenario

    private func draw(_ result: Result, _ top: Int) -> [String] {
        let base = top + 32 + Self.height
        let right = Self.left + Self.chart + 16
        return [
            Self.text(Self.margin, top + 16, result.scenario.name, "value"),
            Self.text(Self.margin + 140, top + 16, result.scenario.sentence, "muted"),
        ] + axes(result.scenario, base) + [
            #"<path d="\#(outline(result.tally, base))"/>"#,
            Self.text(right, base - 28, result.ratio, "value"),
            Self.text(right, base - 10, "busiest minute", "muted"),
        ]
    }

    private func axes(_ scenario: Scenario, _ base: Int) -> [String] {
        let powers = stride(from: 2, through: Int(log10(Double(max(fleet, 100)))), by: 2)
        let counts = powers.flatMap { power in
            let y = place(pow(10, Double(power)), base)
            return [
                #"<line class="axis" x1="\#(Self.left)" x2="\#(Self.left + Self.chart)" y1="\#(y)" y2="\#(y)"/>"#,
                Self.text(Self.left - 8, y + 4, Self.number(Int(pow(10, Double(power)))), "muted end"),
            ]
        }
        let hours = stride(from: 0, through: Int(Self.shown / .hours(1)), by: 12).flatMap { hour in
            let x = Self.left + Int(Double(Self.chart) * ((scenario.prelude + .hours(hour)) / period(scenario)))
            guard x <= Self.left + Self.chart else { return [String]() }
            return [
                #"<line class="axis" x1="\#(x)" x2="\#(x)" y1="\#(base)" y2="\#(base + (hour == 0 ? -Self.height : 4))"/>"#,
                Self.text(x, base + 17, hour == 0 ? "event" : "\(hour) h", "muted middle"),
            ]
        }
        return counts + hours
            + [#"<line class="axis" x1="\#(Self.left)" x2="\#(Self.left + Self.chart)" y1="\#(base)" y2="\#(base)"/>"#]
    }

    /// The line of the busiest minutes as a path.
    private func outline(_ tally: Tally, _ base: Int) -> String {
        let counts = tally.busiestMinutes(until: .event + Self.shown)
        var path = "M\(Self.left) \(base)"
        var last = base
        for (index, count) in counts.enumerated() {
            let y = place(Double(count), base)
            guard y != last else { continue }
            let x = Double(Self.left) + Double(Self.chart * index) / Double(counts.count)
            path += " H\((x * 10).rounded() / 10) V\(y)"
            last = y
        }
        return path + " H\(Self.left + Self.chart)"
    }

    private func period(_ scenario: Scenario) -> Duration { scenario.prelude + Self.shown }

    /// The height of a number of requests on the logarithmic scale, whose top is the whole fleet.
    private func place(_ count: Double, _ base: Int) -> Int {
        base - Int(Double(Self.height) * log10(max(count, 1)) / log10(Double(max(fleet, 100))))
    }

    // MARK: Elements

    private static func text(_ x: Int, _ y: Int, _ text: String, _ style: String) -> String {
        #"<text x="\#(x)" y="\#(y)" class="\#(style)">\#(text)</text>"#
    }

    /// A number with commas.
    private static func number(_ value: Int) -> String {
        value < 1000 ? "\(value)" : number(value / 1000) + "," + String(value % 1000 + 1000).dropFirst()
    }

    private static let style = """

            text { font: 13px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: #1f2328; }
            .title { font-size: 16px; font-weight: 600; }
            .muted { fill: #59636e; font-size: 12px; font-weight: 400; }
            .middle { text-anchor: middle; } .end { text-anchor: end; }
            .value { font-weight: 600; font-variant-numeric: tabular-nums; }
            .page { fill: #ffffff; } .axis { stroke: #d1d9e0; }
            path { stroke: #0969da; stroke-width: 1.5; fill: none; }
            @media (prefers-color-scheme: dark) {
                text { fill: #e6edf3; }
                .muted { fill: #9198a1; }
                .page { fill: #0d1117; } .axis { stroke: #3d444d; }
                path { stroke: #4493f8; }
            }

        """
}
