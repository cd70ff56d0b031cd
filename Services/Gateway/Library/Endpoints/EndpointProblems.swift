import HTTPTypes
import PushClient
import PushTargets
import Routes

extension ProblemType {
    static let endpointTaken = ProblemType("endpoint-taken", .conflict)
    static let tooManyEndpoints = ProblemType("too-many-endpoints", .conflict)
    static let endpointUnreachable = ProblemType("endpoint-unreachable", .unprocessableContent)
    static let endpointUnanswered = ProblemType("endpoint-unanswered", .unprocessableContent)
    static let endpointUnproven = ProblemType("endpoint-unproven", .unprocessableContent)
    static let serviceRefused = ProblemType("service-refused", .unprocessableContent)
    static let mailOff = ProblemType("mail-off", .conflict)
    static let codeWrong = ProblemType("code-wrong", .unprocessableContent)
    static let codeExpired = ProblemType("code-expired", .unprocessableContent)
    static let tooManyChallenges = ProblemType("too-many-challenges", .tooManyRequests)
    static let tooManyTests = ProblemType("too-many-tests", .tooManyRequests)
    static let webPushOff = ProblemType("web-push-off", .conflict)
    static let nativePushOff = ProblemType("native-push-off", .conflict)
    static let pushKeyUnknown = ProblemType("push-key-unknown", .conflict)
    static let subscriptionGone = ProblemType("subscription-gone", .conflict)
    static let noInstallation = ProblemType("no-installation", .conflict)
    static let alwaysRings = ProblemType("always-rings", .conflict)
    static let noEndpoint = ProblemType("no-endpoint", .conflict)
}

extension ChallengeOutcome {
    /// The reason why a target is not registered; nil for a proven one.
    var problem: ProblemType? {
        switch self {
        case .proven: nil
        case .unreachable: .endpointUnreachable
        case .unanswered: .endpointUnanswered
        case .unproven: .endpointUnproven
        }
    }
}

extension PushAnswer {
    /// The reason why a code counts as not sent; nil where it was taken.
    var codeProblem: ProblemType? {
        switch self {
        case .response(200...299, _): nil
        case .response: .serviceRefused
        case .noConnection, .broken, .notPermitted, .unusable: .endpointUnreachable
        case .silence: .endpointUnanswered
        }
    }
}

extension Fault {
    static let codeless = Fault("template-codeless")
    static let pushService = Fault("push-service")
    static let subscriptionKeys = Fault("subscription-keys")

    /// The fault of an address that is no push target, in words for people who know nothing of the operator's settings.
    init(_ fault: PushTargetFault) {
        switch fault {
        case .tooLong: self = .tooLong(maximum: PushTarget.longest)
        case .notAURL:
            self.init("target-not-url")
        case .scheme, .notEncrypted:
            self.init("target-not-encrypted")
        case .credentials:
            self.init("target-credentials")
        case .host:
            self.init("target-host")
        case .port:
            self.init("target-port")
        case .privateHost:
            self.init("target-private")
        }
    }
}
