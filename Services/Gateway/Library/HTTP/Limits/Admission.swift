import HTTPTypes
import PublicHTTP
import PushTargets
import Routes
import ServiceKit

/// Admits requests as far as the buckets of their address and of their caller allow.
struct Admission: Sendable {
    private struct AddressKey: Hashable, Sendable {
        let rate: RateClass
        let network: IPNetwork
    }

    private struct CallerKey: Hashable, Sendable {
        let rate: RateClass
        let credential: Credential
    }

    private let addresses: [RateClass: RateLimiter<AddressKey>]
    private let callers: [RateClass: RateLimiter<CallerKey>]
    private let metrics: GatewayMetrics

    init(_ rates: [RateClass: GatewaySettings.Rates], _ metrics: GatewayMetrics) {
        addresses = rates.mapValues { RateLimiter($0.address) }
        callers = rates.mapValues { RateLimiter($0.caller) }
        self.metrics = metrics
    }

    /// Takes one request from the bucket of its address. A trusted proxy itself has none.
    /// - Returns: The headers that tell the client what is left.
    /// - Throws: `Problem(.tooManyRequests)`.
    func admit(_ address: ClientAddress, _ rate: RateClass) throws(Problem) -> HTTPFields {
        guard !address.isProxy, let limiter = addresses[rate] else { return [:] }
        return try judge(limiter, AddressKey(rate: rate, network: address.network), .address)
    }

    /// Takes one request from the bucket of its caller.
    func admit(_ credential: Credential, _ rate: RateClass) throws(Problem) -> HTTPFields {
        guard let limiter = callers[rate] else { return [:] }
        return try judge(limiter, CallerKey(rate: rate, credential: credential), .caller)
    }

    private func judge<Key>(
        _ limiter: RateLimiter<Key>, _ key: Key, _ scope: RateScope
    ) throws(Problem) -> HTTPFields {
        let verdict = limiter.take(key, at: .now)
        let policy = limiter.policy
        let wait = verdict.wait.wholeSecondsUp
        let headers: HTTPFields = [
            .rateLimitPolicy: "\"\(policy.name)\";q=\(policy.quota);w=\(policy.window.wholeSecondsUp)",
            .rateLimit: "\"\(policy.name)\";r=\(verdict.remaining);t=\(wait)",
        ]
        guard verdict.isAllowed else {
            metrics.rateLimited[scope].increment()
            throw Problem(.tooManyRequests, retryAfter: .seconds(wait), headers: headers)
        }
        return headers
    }
}

extension Duration {
    /// In seconds, rounded up, at least 1.
    fileprivate var wholeSecondsUp: Int64 {
        max(1, components.seconds + (components.attoseconds > 0 ? 1 : 0))
    }
}
