/// An error between us and the broker.
///
/// Callers ask `isRetriable` or switch over `code`; nobody matches strings. `description` is one sentence without topics,
/// payloads and secrets and may be logged or shown.
package struct MQTTError: Error, Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    /// The closed list of causes.
    package enum Code: Hashable, Sendable {
        /// A setting cannot work; `description` names it.
        case invalidConfiguration
        /// The broker answered CONNECT with a refusal.
        case connectionRefused(Refusal)
        /// No TCP connection: unknown host, nothing listening, no route.
        case unreachable
        /// The TLS handshake failed: wrong CA, wrong host name, not a TLS port.
        case tls
        /// The broker did not answer in time.
        case timeout
        /// An established connection broke or the broker ended it.
        case connectionLost
        /// Another client connected with our client id (DISCONNECT 0x8E).
        case sessionTakenOver
        /// The broker refused a publish or a subscription by its access rules.
        case notAuthorized
        /// The message is larger than the broker accepts.
        case messageTooLarge
        /// A topic or filter that MQTT does not allow.
        case invalidTopic
        /// The broker's access control refused a command.
        case controlRefused(ControlRefusal)
        /// Something read is not acknowledged yet, so nothing may be written (every write releases PUBACKs).
        case unacknowledgedMessages
        /// `disconnect`, `abandon` or `stop` was called before.
        case closed
        /// The broker broke the protocol or answered with a reason that is not in this list.
        case protocolViolation
    }

    /// Why a broker refuses a CONNECT.
    package enum Refusal: Hashable, Sendable {
        case badCredentials
        case notAuthorized
        case clientIdentifierNotValid
        case banned
        case serverUnavailable
        case unsupportedProtocolVersion
        case other
    }

    /// Why the dynamic-security plugin refuses a command.
    package enum ControlRefusal: Hashable, Sendable {
        case alreadyExists
        case notFound
        case invalid
    }

    package let code: Code
    /// A sentence for people.
    package let description: String
    /// The library's or the broker's own text, for logs at debug level; never a password.
    package let detail: String
    package let file: String
    package let line: Int

    package init(
        _ code: Code, _ description: String? = nil, detail: String = "",
        file: String = #fileID, line: Int = #line
    ) {
        self.code = code
        self.description = description ?? code.sentence
        self.detail = detail
        self.file = file
        self.line = line
    }

    package var debugDescription: String {
        "\(code): \(description)\(detail.isEmpty ? "" : " (\(detail))") at \(file):\(line)"
    }

    /// Whether the same call may succeed later with nothing changed by a person.
    package var isRetriable: Bool {
        switch code {
        case .unreachable, .timeout, .connectionLost, .sessionTakenOver, .protocolViolation: true
        case .connectionRefused(let refusal): refusal == .serverUnavailable || refusal == .other
        case .invalidConfiguration, .tls, .notAuthorized, .messageTooLarge, .invalidTopic, .controlRefused,
            .unacknowledgedMessages, .closed:
            false
        }
    }

    package static func == (left: MQTTError, right: MQTTError) -> Bool { left.code == right.code }

    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension MQTTError.Code {
    fileprivate var sentence: String {
        switch self {
        case .invalidConfiguration: "the MQTT settings cannot work"
        case .connectionRefused(let refusal): refusal.sentence
        case .unreachable: "the broker cannot be reached"
        case .tls: "the TLS handshake with the broker failed"
        case .timeout: "the broker did not answer in time"
        case .connectionLost: "the connection to the broker was lost"
        case .sessionTakenOver: "another client took over this client id"
        case .notAuthorized: "the broker's access rules refuse this topic"
        case .messageTooLarge: "the message is larger than the broker accepts"
        case .invalidTopic: "MQTT does not allow this topic or filter"
        case .controlRefused(let refusal): refusal.sentence
        case .unacknowledgedMessages: "messages that were received are not acknowledged yet"
        case .closed: "the connection was closed by this side"
        case .protocolViolation: "the broker answered in an unexpected way"
        }
    }
}

extension MQTTError.Refusal {
    fileprivate var sentence: String {
        switch self {
        case .badCredentials: "the broker refuses this user name or password"
        case .notAuthorized: "the broker does not authorize this client"
        case .clientIdentifierNotValid: "the broker refuses this client id"
        case .banned: "the broker has banned this client"
        case .serverUnavailable: "the broker is busy or not available"
        case .unsupportedProtocolVersion: "the broker does not speak MQTT 5"
        case .other: "the broker refuses the connection"
        }
    }
}

extension MQTTError.ControlRefusal {
    fileprivate var sentence: String {
        switch self {
        case .alreadyExists: "the broker has a user or role of this name already"
        case .notFound: "the broker knows no user or role of this name"
        case .invalid: "the broker's access control does not understand this command"
        }
    }
}
