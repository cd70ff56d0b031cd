/// How much one person may have.
package enum PersonLimits {
    /// Endpoints in use: each alert goes to all of them.
    package static let endpoints = 20
    /// Tokens that can be used.
    package static let personalTokens = 50
}
