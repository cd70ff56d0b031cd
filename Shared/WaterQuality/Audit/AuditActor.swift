/// The actor of an entry of the audit log.
package enum AuditActor: String, CaseIterable, Sendable {
    case account
    /// A person's program, by a personal token.
    case token
    /// Somebody with the tool or the database at hand.
    case `operator`
    /// A device, by what it sent: a button.
    case device
    /// A service by itself.
    case system
    /// Nobody who is known.
    case stranger
}
