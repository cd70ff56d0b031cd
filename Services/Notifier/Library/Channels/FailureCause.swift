import PushClient
import ServiceKit

/// Why an attempt was not accepted, told by what came back: a receiver's fault, one of the way there, or ours.
enum FailureCause: String, MetricLabel {
    static let labelName = "cause"

    case redirection, clientError, gone, tooManyRequests, serverError
    case noConnection, connectTimeout, encryption, broken, silence
    case notPermitted, unusable

    /// nil when it was accepted.
    init?(_ answer: PushAnswer) {
        switch answer {
        case .response(200...299, _): return nil
        case .response(300...399, _): self = .redirection
        case .response(410, _): self = .gone
        case .response(429, _): self = .tooManyRequests
        case .response(400...499, _): self = .clientError
        case .response: self = .serverError
        case .noConnection(.refused): self = .noConnection
        case .noConnection(.timeout): self = .connectTimeout
        case .noConnection(.encryption): self = .encryption
        case .broken: self = .broken
        case .silence: self = .silence
        case .notPermitted: self = .notPermitted
        case .unusable: self = .unusable
        }
    }
}
