/// Decides which targets may be called. The check at registration gives the person an immediate answer. The check at
/// sending is the binding one, because a name's addresses are known only then: all of them are checked before a
/// connection is made, and the connected one again.
package struct PushTargetPolicy: Hashable, Sendable {
    package let allowed: PushAllowList

    /// The text in an attempt's record for an address that was not admitted; readers of the record recognise it and
    /// name the remedy.
    package static let refusal = "the name leads to an address that must not be called"

    package init(allowed: PushAllowList = PushAllowList()) {
        self.allowed = allowed
    }

    /// Reads a target, and checks that it may be registered.
    package func register(_ text: String) throws(PushTargetFault) -> PushTarget {
        let target = try PushTarget(text)
        guard target.needsPermission else { return target }
        let isNamed =
            target.address.map { allowed.names($0, port: target.port) } ?? allowed.names(port: target.port)
        guard isNamed else {
            throw target.isEncrypted ? (target.port == 443 ? .privateHost : .port) : .notEncrypted
        }
        return target
    }

    /// Whether a connection to this address may carry a message.
    /// - Parameter needsPermission: Whether the connection's target needs the operator's permission.
    package func admits(_ address: IPAddress, port: Int, needsPermission: Bool) -> Bool {
        allowed.names(address, port: port) || (!needsPermission && address.isPublic)
    }
}

/// The reasons why an address is no push target; the description tells a person what to do.
package enum PushTargetFault: String, Error, CaseIterable, Sendable, CustomStringConvertible {
    case tooLong, notAURL, scheme, credentials, host, notEncrypted, port, privateHost

    package var description: String {
        switch self {
        case .tooLong: "The address is longer than \(PushTarget.longest) characters."
        case .notAURL:
            "This is no web address; it looks like https://example.com/path, with international names in their xn-- form."
        case .scheme: "The address must begin with https://."
        case .credentials: "The address must not contain a user name or password; put a token into its path or query."
        case .host: "The address has no valid host name."
        case .notEncrypted: "The address must begin with https://, or the operator must permit it in AQUA_PUSH_ALLOW."
        case .port: "The address must use port 443, or the operator must permit its port in AQUA_PUSH_ALLOW."
        case .privateHost:
            "The address must have a public host name, or the operator must permit it in AQUA_PUSH_ALLOW."
        }
    }
}
