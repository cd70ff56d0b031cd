/// The style of the pages that are made from the declarations. It is the only content of their one `<style>` element,
/// so its hash can stand in a Content-Security-Policy.
package enum PageStyle {
    package static let text = """
        :root {
          color-scheme: light dark;
          --ink: #1b2a32; --soft: #5a6b74; --line: #d7e0e4; --ground: #fff; --raised: #f3f7f8; --mark: #0a6c80;
          font: 1rem/1.6 system-ui, sans-serif; color: var(--ink); background: var(--ground);
        }
        @media (prefers-color-scheme: dark) {
          :root { --ink: #e4edf1; --soft: #9fb1ba; --line: #31424b; --ground: #10191e; --raised: #18242b; --mark: #63cbe0 }
        }
        * { box-sizing: border-box }
        body { margin: 0 }
        main, header { max-width: 60rem; margin: 0 auto; padding: 1.5rem }
        h1 { font-size: 2rem; line-height: 1.2; margin: 1rem 0 .5rem }
        h2 { font-size: 1.5rem; margin: 3rem 0 .5rem; border-top: 1px solid var(--line); padding-top: 1.5rem }
        h3 { font-size: 1.125rem; margin: 2.5rem 0 .25rem }
        h4 { font-size: .875rem; margin: 1.25rem 0 .25rem; color: var(--soft); font-weight: 600 }
        p { margin: .5rem 0; max-width: 42rem }
        a { color: var(--mark) }
        code, pre { font: .875rem/1.5 ui-monospace, Menlo, Consolas, monospace }
        pre { background: var(--raised); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem; \
        overflow-x: auto }
        table { border-collapse: collapse; width: 100%; font-size: .9375rem }
        th { text-align: start; font-weight: 600; color: var(--soft); font-size: .8125rem }
        th, td { padding: .375rem .75rem .375rem 0; border-bottom: 1px solid var(--line); vertical-align: top; \
        overflow-wrap: anywhere }
        td:first-child { white-space: nowrap }
        .wide { overflow-x: auto }
        .wide th, .wide td, .wide td:first-child { white-space: nowrap; padding-inline-end: 1.25rem }
        nav ul { list-style: none; padding: 0; columns: 2 18rem }
        nav li { break-inside: avoid; padding: .125rem 0 }
        nav h4 { break-after: avoid }
        .method { display: inline-block; min-width: 4rem; font-weight: 700; color: var(--mark) }
        .soft { color: var(--soft) }
        @media (max-width: 40rem) { td:first-child { white-space: normal } main, header { padding: 1rem } }
        """
}
