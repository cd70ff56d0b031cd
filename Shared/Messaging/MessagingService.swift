package import Mail
package import PushClient
package import PushTargets
package import WaterQuality

/// A service that brings messages to people's phones or into their chats, such as ntfy, or their mail: what a person gives to be reached
/// there, and how a message is sent.
///
/// A service is one file in `Services` and one line in `MessagingServices.swift`. It is a value without a connection: the notifier sends
/// alerts with it, the gateway the code that proves that the messages arrive.
package protocol MessagingService: Sendable {
    static var channel: Endpoint.Channel { get }
    /// The service's own name, which is no word of a language.
    static var name: String { get }
    /// The data that the service needs of a person, in the order in which they are asked for.
    static var fields: [ServiceField] { get }

    /// - Parameter values: What the person gave, checked by `fields`; what may be missing and has no standard is missing.
    /// - Throws: `ServiceFault`, of a field that its pattern cannot judge.
    init(_ values: ServiceValues) throws(ServiceFault)

    /// Where messages arrive, as a URL that holds all that tells one destination from another. It is a capability, and is stored sealed.
    var identity: String { get }

    /// What a service knows its customer by, and counts messages by: a secret. nil where it counts by where requests come from.
    var credential: String? { get }

    /// The hosts at which its maker serves everybody, unlike a server that a person keeps.
    static var publicHosts: Set<String> { get }

    func dispatch(of message: ServiceMessage) throws -> ServiceDispatch
}

extension MessagingService {
    package static var publicHosts: Set<String> {
        Set(fields.compactMap { $0.name == .server ? $0.standard.flatMap { try? PushTarget($0).host } : nil })
    }
}

/// A message on its way to a service.
package enum ServiceDispatch: Sendable {
    /// By a request, with what its answer means.
    case request(ServiceRequest, answer: @Sendable (PushReply) -> PushAnswer)
    /// By the operator's mail server.
    case mail(MailMessage)
}

/// A service that takes messages by requests.
package protocol WebService: MessagingService {
    func request(for message: ServiceMessage) throws -> ServiceRequest

    /// The answer in the terms of HTTP, where a service says in its body what others say by a status or a header.
    static func answer(to reply: PushReply) -> PushAnswer
}

extension WebService {
    package static func answer(to reply: PushReply) -> PushAnswer { reply.answer }

    package func dispatch(of message: ServiceMessage) throws -> ServiceDispatch {
        .request(try request(for: message), answer: Self.answer(to:))
    }
}

/// A field of a service's form.
package struct ServiceField: Hashable, Sendable {
    package enum Name: String, CaseIterable, Sendable {
        case server, topic, token, user, chat, room, address, email, account, from, to
    }

    package let name: Name
    /// Whether others must not see it, not even while it is typed.
    package let isSecret: Bool
    package let isRequired: Bool
    /// A regular expression that the whole text matches: single classes of characters with their counts.
    package let pattern: String
    /// The value that counts where none is given.
    package let standard: String?
    package let example: String

    init(
        _ name: Name, pattern: String, isSecret: Bool = false, isRequired: Bool = true, standard: String? = nil,
        example: String
    ) {
        self.name = name
        self.pattern = pattern
        self.isSecret = isSecret
        self.isRequired = isRequired && standard == nil
        self.standard = standard
        self.example = example
    }

    /// The longest text of any field.
    package static let longest = 1024

    fileprivate func admits(_ text: String) -> Bool {
        text.utf8.count <= Self.longest && (try? Regex(pattern).wholeMatch(in: text)) != nil
    }
}

/// The data that a service needs of a person.
package typealias ServiceValues = [ServiceField.Name: String]

/// The field that cannot be used, and why.
package struct ServiceFault: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        case missing, malformed
        /// The address is no target that may be called.
        case target(PushTargetFault)
    }

    package let field: ServiceField.Name
    package let reason: Reason

    package init(_ field: ServiceField.Name, _ reason: Reason) {
        self.field = field
        self.reason = reason
    }
}

extension MessagingService {
    /// Checks what a person gave.
    /// - Throws: `ServiceFault`, of the first field that cannot be used.
    package static func checked(_ values: ServiceValues) throws(ServiceFault) -> Self {
        for field in fields {
            guard let value = values[field.name] else {
                if field.isRequired { throw ServiceFault(field.name, .missing) }
                continue
            }
            guard field.admits(value) else { throw ServiceFault(field.name, .malformed) }
        }
        return try registered(values)
    }

    /// Takes what was checked when it was registered: patterns are not tried again for each message.
    /// - Throws: `ServiceFault`, where the service needs more than it did then.
    package static func registered(_ values: ServiceValues) throws(ServiceFault) -> Self {
        var known: ServiceValues = [:]
        for field in fields { known[field.name] = values[field.name] ?? field.standard }
        return try Self(known)
    }
}
