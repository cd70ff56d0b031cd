/// Which targets may be called. It is asked when a person registers one, for a good answer at once, and when a message
/// is to be sent, because only then is it known where a name leads today: before a connection is made, of all addresses
/// of the name, and again of the one that was connected to.
package struct PushTargetPolicy: Hashable, Sendable {
    package let allowed: PushAllowList

    /// How the record of an attempt tells that an address was not admitted; whoever reads it there knows the remedy.
    package static let refusal = "the name leads to an address that must not be called"

    package init(allowed: PushAllowList = PushAllowList()) {
        self.allowed = allowed
    }

    /// The target of a text, if it may be registered.
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
    /// - Parameter needsPermission: Of the target whose connection it is.
    package func admits(_ address: IPAddress, port: Int, needsPermission: Bool) -> Bool {
        allowed.names(address, port: port) || (!needsPermission && address.isPublic)
    }
}

/// Why an address is no push target; the description tells a person what to do.
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
