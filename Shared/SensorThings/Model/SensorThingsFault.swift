/// The reason why an address or a query cannot be served. Codes are for programs; `subject` names what in the request is meant, cut to 64
/// bytes of it.
package struct SensorThingsFault: Error, Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// The address leads nowhere.
        case notFound
        /// The request is malformed, or asks for more than the bounds allow.
        case malformed
        /// The standard knows it; this service does not.
        case unsupported
    }

    package let kind: Kind
    /// Lower case, words joined by hyphens.
    package let code: String
    package let subject: String
    /// The place in the option's text, in bytes.
    package let at: Int?

    init(_ kind: Kind, _ code: String, _ subject: some StringProtocol = String(), at: Int? = nil) {
        self.kind = kind
        self.code = code
        var subject = String(subject)
        while subject.utf8.count > 64 { subject.unicodeScalars.removeLast() }
        self.subject = subject
        self.at = at
    }

    static let notFound = SensorThingsFault(.notFound, "not-found")

    /// No entity has the id, as far as the caller may know.
    package static let unknownEntity = SensorThingsFault(.notFound, "unknown-entity")
    /// Observations of more Datastreams than come in one list need one of them to be named.
    package static let datastreamNeeded = SensorThingsFault(.malformed, "datastream-needed", "Datastream/id")
    package static let tooMuch = SensorThingsFault(.malformed, "too-much")
    package static let notComputable = SensorThingsFault(.malformed, "not-computable", "$filter")
    package static let wrongToken = SensorThingsFault(.malformed, "token", "$skiptoken")
}
