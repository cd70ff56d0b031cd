/// How much one person may have.
package enum PersonLimits {
    /// Endpoints in use: each alert goes to all of them.
    package static let endpoints = 20
    package static let personalTokens = 20
}
