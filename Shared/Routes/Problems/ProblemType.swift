package import HTTPTypes
package import Words

/// A kind of problem (RFC 9457): programs compare its code, people read the texts of that name, `problem.<code>_title` and
/// `problem.<code>_detail`.
package struct ProblemType: Hashable, Sendable {
    /// Lower case, words joined by hyphens; the last part of the problem's `type` address.
    package let code: String
    package let status: HTTPResponse.Status

    package init(_ code: String, _ status: HTTPResponse.Status) {
        self.code = code
        self.status = status
    }

    package func title(in language: Language) -> String { language.text("problem.\(code)_title") }

    /// The remedy; empty where the title says it all.
    package func detail(in language: Language) -> String {
        let key = "problem.\(code)_detail"
        return language.has(key) ? language.text(key) : ""
    }

    /// The address of the page about this kind of problem.
    package var address: String { "/api/problems/" + code }
}
