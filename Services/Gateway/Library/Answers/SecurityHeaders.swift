import HTTPTypes
import ServiceKit

/// Headers that keep browsers from any use that an answer of this service is not meant for.
struct SecurityHeaders: Sendable {
    private let common: [(name: HTTPField.Name, value: String)]

    init(_ origin: PublicOrigin) {
        var common: [(name: HTTPField.Name, value: String)] = [
            (.contentSecurityPolicy, "default-src 'none'; frame-ancestors 'none'"),
            (.xContentTypeOptions, "nosniff"),
            (.referrerPolicy, "no-referrer"),
            (.crossOriginResourcePolicy, "same-origin"),
            (.cacheControl, "no-store"),
        ]
        if origin.isSecure { common.append((.strictTransportSecurity, "max-age=31536000")) }
        self.common = common
    }

    /// Adds the headers that the answer does not set itself.
    func add(to headers: inout HTTPFields) {
        for (name, value) in common where !headers.contains(name) { headers[name] = value }
    }
}

extension HTTPField.Name {
    private static func own(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("\(name) is a field name") }
        return name
    }

    static let idempotencyKey = own("Idempotency-Key")
    static let idempotentReplayed = own("Idempotent-Replayed")
    static let rateLimit = own("RateLimit")
    static let rateLimitPolicy = own("RateLimit-Policy")
    static let referrerPolicy = own("Referrer-Policy")
    static let secFetchSite = own("Sec-Fetch-Site")
    static let xAccelBuffering = own("X-Accel-Buffering")
    static let xRobotsTag = own("X-Robots-Tag")
}
