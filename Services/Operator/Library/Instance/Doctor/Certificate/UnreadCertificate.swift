import NIOCore
import NIOPosix

/// Why a server's certificate could not be read.
struct UnreadCertificate: Error, CustomStringConvertible {
    enum Code: Hashable, Sendable, CaseIterable {
        /// The server's name has no address.
        case unresolved
        /// Nothing takes connections there, or nothing did within the limit.
        case unanswered
        /// A connection was taken, and nothing came within the limit.
        case stalled
        /// The server ended the connection without a certificate.
        case absent
        /// TLS could not be begun on this side, such as with a name that TLS does not take.
        case notBegun
    }

    let code: Code
    let underlying: (any Error)?

    init(_ code: Code, underlying: (any Error)? = nil) {
        self.code = code
        self.underlying = underlying
    }

    /// The error of a connection that could not be made.
    init(of error: any Error) {
        self.init(Self.code(of: error), underlying: error)
    }

    private static func code(of error: any Error) -> Code {
        switch error {
        case let error as NIOConnectionError where error.connectionErrors.isEmpty: .unresolved
        case let error as NIOConnectionError:
            error.connectionErrors.allSatisfy { $0.error is IOError || $0.error is ChannelError }
                ? .unanswered : .notBegun
        case is IOError, is ChannelError: .unanswered
        default: .notBegun
        }
    }

    var description: String {
        switch code {
        case .unresolved: "the server's name has no address"
        case .unanswered: "the server does not answer"
        case .stalled: "the server takes connections and says nothing"
        case .absent: "the server did not present one"
        case .notBegun: "TLS could not be begun\(underlying.map { " (\($0))" } ?? "")"
        }
    }
}
