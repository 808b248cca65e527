import Glibc
import PromoWire

/// The results as an SVG for light and dark pages, without external resources.
struct Picture {
    private static let width = 880, margin = 24, left = 96, chart = 640, height = 72, row = 138
    /// The time that is shown, and the part of it that is one step of a line.
    private static let shown = Duration.days(3), step = Duration.seconds(300)

    private let results: [Result]
    private let options: Options

    init(_ results: [Result], _ options: Options) {
        self.results = results
        self.options = options
    }

    var text: String {
        var lines = [
            Self.text(Self.margin, 38, "A fleet of \(Table.number(Double(options.daemons))) daemons", "title"),
            Self.text(
                Self.margin, 60,
                "Requests a minute, at the busiest of every five. Right: the busiest minute in multiples of the mean.",
                "muted"),
            Self.swatch(Self.margin, "machine", "promod"),
            Self.swatch(Self.margin + 90, "fixed", "fixed intervals without jitter"),
        ]
        for (index, result) in results.enumerated() { lines += draw(result, 104 + index * Self.row) }
        let height = 104 + results.count * Self.row + 8
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.width) \(height)" width="\(Self.width)" \
            height="\(height)" role="img">
            <title>The requests of \(options.daemons) daemons to their origin</title>
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
            #"<path class="fixed" d="\#(outline(result.fixed, base)) V\#(base) H\#(Self.left) Z"/>"#,
            #"<path class="machine" d="\#(outline(result.machine, base))"/>"#,
            Self.text(right, base - 44, Table.ratio(result.machine, result.sessions), "value"),
            Self.text(right, base - 26, "busiest minute", "muted"),
            Self.text(right, base - 10, "fixed: " + Table.ratio(result.fixed, result.sessions), "muted"),
        ]
    }

    private func axes(_ scenario: Scenario, _ base: Int) -> [String] {
        let powers = stride(from: 2, through: Int(log10(Double(max(options.daemons, 100)))), by: 2)
        let counts = powers.flatMap { power in
            let y = place(pow(10, Double(power)), base)
            return [
                #"<line class="axis" x1="\#(Self.left)" x2="\#(Self.left + Self.chart)" y1="\#(y)" y2="\#(y)"/>"#,
                Self.text(Self.left - 8, y + 4, Table.number(pow(10, Double(power))), "muted end"),
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
        let counts = tally.busiestMinutes(of: Self.step, until: .event + Self.shown)
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
        base - Int(Double(Self.height) * log10(max(count, 1)) / log10(Double(max(options.daemons, 100))))
    }

    // MARK: Elements

    private static func text(_ x: Int, _ y: Int, _ text: String, _ style: String) -> String {
        #"<text x="\#(x)" y="\#(y)" class="\#(style)">\#(text)</text>"#
    }

    private static func swatch(_ x: Int, _ style: String, _ label: String) -> String {
        let mark =
            style == "fixed"
            ? #"<rect class="fixed" x="\#(x)" y="76" width="18" height="9"/>"#
            : #"<line class="\#(style)" x1="\#(x)" x2="\#(x + 18)" y1="80.5" y2="80.5"/>"#
        return mark + text(x + 24, 85, label, "muted")
    }

    private static let style = """

            text { font: 13px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: #1f2328; }
            .title { font-size: 16px; font-weight: 600; }
            .muted { fill: #59636e; font-size: 12px; font-weight: 400; }
            .middle { text-anchor: middle; } .end { text-anchor: end; }
            .value { font-weight: 600; font-variant-numeric: tabular-nums; }
            .page { fill: #ffffff; } .axis { stroke: #d1d9e0; }
            .machine { stroke: #0969da; stroke-width: 1.5; fill: none; } .fixed { fill: #afb8c1; stroke: #afb8c1; }
            @media (prefers-color-scheme: dark) {
                text { fill: #e6edf3; }
                .muted { fill: #9198a1; }
                .page { fill: #0d1117; } .axis { stroke: #3d444d; }
                .machine { stroke: #4493f8; } .fixed { fill: #57606a; stroke: #57606a; }
            }

        """
}
