/// Upper limits for one person.
package enum PersonLimits {
    /// Active endpoints: each alert goes to all of them.
    package static let endpoints = 20
    /// Valid personal tokens.
    package static let personalTokens = 50
}
