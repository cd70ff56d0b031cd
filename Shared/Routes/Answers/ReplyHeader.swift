import HTTPTypes

/// A header that a route promises with its answer.
package enum ReplyHeader: Hashable, Sendable, CaseIterable {
    /// The version of the answered resource.
    case eTag
    /// The address of the created resource.
    case location
    /// The refresh cookie, for clients that asked for one.
    case setCookie

    var name: String {
        switch self {
        case .eTag: HTTPField.Name.eTag.rawName
        case .location: HTTPField.Name.location.rawName
        case .setCookie: HTTPField.Name.setCookie.rawName
        }
    }

    var text: String {
        switch self {
        case .eTag: "The version of what is answered, for If-Match."
        case .location: "The address of what was created."
        case .setCookie: "The cookie that refreshes the session, when the client asked for one."
        }
    }

    var isAlwaysThere: Bool { self != .setCookie }
}
