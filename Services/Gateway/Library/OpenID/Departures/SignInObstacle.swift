/// Why somebody who comes back from the provider is not let in. The raw value goes back to the app, which has words for it.
enum SignInObstacle: String, Error, Hashable, Sendable, CaseIterable {
    /// No sign-in of this browser's is under way: it took too long, was begun elsewhere, or has come back before.
    case lost
    /// The person did not go through with it, or the provider did not let them.
    case declined
    case unreachable
    /// Something in the provider's answer does not hold.
    case refused
    case notInGroup
    /// Nobody here has this identity, and it opens no account.
    case noAccount
    /// The provider vouches for no e-mail address, which an account needs.
    case noAddress
    /// The address has an account already: its person links the identity from within.
    case taken
    /// The identity is linked to another account.
    case linkedElsewhere
    /// The account has as many identities as anybody may.
    case full
    /// Somebody else proved themselves than whose session it is.
    case otherPerson
    /// The provider does not say that the person has just proven themselves.
    case notRecent
    /// The session ended meanwhile.
    case ended
    /// Nothing can be answered at present.
    case later

    init(_ fault: OpenIDFault) {
        self = fault == .notRecent ? .notRecent : fault.isPassing ? .unreachable : .refused
    }
}
