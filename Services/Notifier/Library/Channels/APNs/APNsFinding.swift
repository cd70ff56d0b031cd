import FoundationEssentials
import Instants
import PushClient

/// The reasons that Apple's push service gives, in its own words.
enum APNsReason: String, CaseIterable, Sendable {
    case badDeviceToken = "BadDeviceToken"
    case deviceTokenNotForTopic = "DeviceTokenNotForTopic"
    case unregistered = "Unregistered"
    case expiredToken = "ExpiredToken"
    case badCollapseID = "BadCollapseId"
    case badExpirationDate = "BadExpirationDate"
    case badMessageID = "BadMessageId"
    case badPriority = "BadPriority"
    case badTopic = "BadTopic"
    case missingDeviceToken = "MissingDeviceToken"
    case missingTopic = "MissingTopic"
    case topicDisallowed = "TopicDisallowed"
    case invalidPushType = "InvalidPushType"
    case payloadEmpty = "PayloadEmpty"
    case duplicateHeaders = "DuplicateHeaders"
    case idleTimeout = "IdleTimeout"
    case badPath = "BadPath"
    case methodNotAllowed = "MethodNotAllowed"
    case expiredProviderToken = "ExpiredProviderToken"
    case invalidProviderToken = "InvalidProviderToken"
    case missingProviderToken = "MissingProviderToken"
    case unrelatedKeyID = "UnrelatedKeyIdInToken"
    case badEnvironmentKeyID = "BadEnvironmentKeyIdInToken"
    case badCertificate = "BadCertificate"
    case badCertificateEnvironment = "BadCertificateEnvironment"
    case forbidden = "Forbidden"
    case payloadTooLarge = "PayloadTooLarge"
    case tooManyRequests = "TooManyRequests"
    case tooManyProviderTokenUpdates = "TooManyProviderTokenUpdates"
    case internalServerError = "InternalServerError"
    case serviceUnavailable = "ServiceUnavailable"
    case shutdown = "Shutdown"
}

/// The meaning of an answer of Apple's push service.
enum APNsFinding: Hashable, Sendable {
    case accepted
    /// The app was removed from the phone, or its token has ended, at this time; nil where Apple does not say when.
    case ended(Timestamp?)
    /// Apple does not know the token, or not for this app: the phone's fault, or that of AQUA_APNS_SERVER and AQUA_APNS_TOPIC.
    case unknownToken
    /// The token by which Apple knows us is too old.
    case outdated
    /// Our key, our names, or our rights.
    case forbidden
    /// Our message is not as Apple wants it.
    case badRequest
    case tooLarge
    /// Too much for one phone.
    case tooManyForPhone
    /// Too much from us.
    case tooMany
    case unavailable
    /// Anything else, or nothing.
    case failed

    /// Apple's reason goes before its status: of several reasons with the same status some are about the phone, others about us.
    init(_ reply: PushReply) {
        guard case .response(let status, _) = reply.answer else {
            self = .failed
            return
        }
        let body = reply.body.flatMap { try? JSONDecoder().decode(Body.self, from: Data($0)) }
        let reason = body?.reason.flatMap(APNsReason.init)
        self =
            switch (status, reason) {
            case (200...299, _): .accepted
            case (410, .unregistered?), (410, .expiredToken?): .ended(body?.time)
            case (410, _): .ended(nil)
            case (400, .badDeviceToken?), (400, .deviceTokenNotForTopic?): .unknownToken
            case (403, .expiredProviderToken?): .outdated
            case (403, _), (401, _): .forbidden
            case (413, _): .tooLarge
            case (400, .idleTimeout?): .failed
            case (400, _), (404, _), (405, _): .badRequest
            case (429, .tooManyRequests?): .tooManyForPhone
            case (429, _): .tooMany
            case (500, _), (503, _): .unavailable
            default: .failed
            }
    }

    private struct Body: Decodable {
        var reason: String?
        /// In milliseconds since 1970.
        var timestamp: Int64?

        /// nil for a time that no clock shows.
        var time: Timestamp? {
            timestamp.flatMap { (0...8_000_000_000_000).contains($0) ? Timestamp(microseconds: $0 * 1000) : nil }
        }
    }
}

extension PushServiceAnswer {
    /// The count that the operator sees. A token that Apple does not know is counted among our faults: it is one where all are unknown.
    init(_ finding: APNsFinding) {
        self =
            switch finding {
            case .accepted: .accepted
            case .ended: .gone
            case .unknownToken, .badRequest: .badRequest
            case .outdated, .forbidden: .forbidden
            case .tooLarge: .tooLarge
            case .tooManyForPhone, .tooMany, .unavailable: .throttled
            case .failed: .failed
            }
    }
}
