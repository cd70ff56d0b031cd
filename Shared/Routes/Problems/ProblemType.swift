package import HTTPTypes

/// A kind of problem (RFC 9457): programs compare its code, people read its texts.
package struct ProblemType: Hashable, Sendable {
    /// Lower case, words joined by hyphens; the last part of the problem's `type` address.
    package let code: String
    package let status: HTTPResponse.Status
    package let title: Localised
    /// The remedy; names the problem's parameters in braces.
    package let detail: Localised?

    package init(_ code: String, _ status: HTTPResponse.Status, title: Localised, detail: Localised? = nil) {
        self.code = code
        self.status = status
        self.title = title
        self.detail = detail
    }

    /// The address of the page about this kind of problem.
    package var address: String { "/api/problems/" + code }
}
