/// The style of the page.
enum PageStyle {
    private static let tiles = 6

    /// The number of an app's tile colour, the same in every process.
    static func tile(of id: String) -> Int {
        Int(id.utf8.reduce(0 as UInt32) { $0 &* 31 &+ UInt32($1) } % UInt32(tiles))
    }

    /// The style sheet, whose colours have a contrast of at least 4.5 to 1 in the light and the dark scheme.
    static let css = """
        :root { color-scheme: light dark; --back: #ffffff; --text: #1b1b1f; --soft: #5a5a64; --line: #d9d9e0; --over: #f2f2f6; }
        @media (prefers-color-scheme: dark) {
          :root { --back: #17171a; --text: #f0f0f4; --soft: #a9a9b4; --line: #3a3a42; --over: #232328; }
        }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--back); color: var(--text); font: 16px/1.45 system-ui, sans-serif; }
        main { max-width: 40rem; margin: 0 auto; padding: 1rem; }
        :lang(ko) { word-break: keep-all; }
        h1 { font-size: 1.4rem; margin: 0.5rem 0.5rem 1rem; }
        .sample { margin: 0 0.5rem 1rem; padding: 0.5rem 0.75rem; border: 2px dashed var(--soft); border-radius: 0.75rem; }
        ul { list-style: none; margin: 0; padding: 0; }
        li + li { border-top: 1px solid var(--line); }
        a { display: flex; gap: 1rem; align-items: center; padding: 0.75rem 0.5rem; border-radius: 0.75rem; }
        a { color: inherit; text-decoration: none; }
        a:hover, a:focus-visible { background: var(--over); }
        a:focus-visible { outline: 2px solid var(--text); outline-offset: -2px; }
        img, .tile { flex: none; width: 64px; height: 64px; border-radius: 14px; object-fit: cover; }
        .tile { display: grid; place-items: center; color: #ffffff; font-size: 1.75rem; font-weight: 600; }
        .tile0 { background: #9a3412; } .tile1 { background: #166534; } .tile2 { background: #1d4ed8; }
        .tile3 { background: #86198f; } .tile4 { background: #115e59; } .tile5 { background: #9f1239; }
        .words { min-width: 0; overflow-wrap: anywhere; }
        strong { font-weight: 600; margin-inline-end: 0.35rem; }
        small { color: var(--soft); font-size: 0.875rem; }
        .tagline { display: block; color: var(--soft); }

        """
}
