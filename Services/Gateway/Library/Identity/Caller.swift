package import HTTPTypes
import People
package import Store

/// The caller of a route, and where the call comes from.
package struct Caller: Sendable {
    package let scope: Scope
    /// The request's headers; the route's inputs are not in here.
    package let headers: HTTPFields
    /// The text after the question mark, undecoded, for what has a grammar of its own.
    package let query: String?
    /// The body as it came, for what signs all of it.
    package let body: [UInt8]

    /// The session that the call is made in; nil for a personal token and for nobody.
    package var session: SessionID? {
        // Never inlined: inside a route's closure it ends Swift 6.3.1's optimizer with a failed assertion ("ownership error").
        @inline(never) get { if case .session(let id) = scope.credential { id } else { nil } }
    }

    /// The client's name for itself, cut to a length that people read, with invisible characters replaced.
    package var userAgent: String { Self.userAgent(headers) }

    static func userAgent(_ headers: HTTPFields) -> String {
        let words = VisibleText.spelledOut(headers[.userAgent] ?? "") { _ in "\u{FFFD}" }
        return String(String.UnicodeScalarView(words.unicodeScalars.prefix(120)))
    }

    /// The value of a cookie.
    package func cookie(_ name: String) -> String? {
        for header in headers[values: .cookie] {
            for pair in header.split(separator: ";") {
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                let key = parts[0].drop { $0 == " " }
                if parts.count == 2, key == name { return String(parts[1]) }
            }
        }
        return nil
    }
}
