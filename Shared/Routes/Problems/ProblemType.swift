package import HTTPTypes

/// A kind of problem (RFC 9457): what a program compares is the code, what a person reads are the texts.
package struct ProblemType: Hashable, Sendable {
    /// Lower case, words joined by hyphens; the last part of the problem's `type` address.
    package let code: String
    package let status: HTTPResponse.Status
    package let title: Localised
    /// What to do about it; parameters of the problem stand in it by name, in braces.
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
