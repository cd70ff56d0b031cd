package import HTTPTypes
package import PushTargets

/// The sender of a request, and its id in the logs.
package struct RequestOrigin: Hashable, Sendable {
    package let address: ClientAddress
    package let requestID: String

    /// - Parameter peer: The other end of the connection; nil for a Unix domain socket.
    package init(_ headers: HTTPFields, peer: IPAddress?, proxies: TrustedProxies) {
        // A Unix domain socket has no address; its other end is trusted like a proxy.
        let peer = peer ?? .unknown
        let isThroughProxy = proxies.contains(peer)
        let client = proxies.client(of: peer, forwarded: isThroughProxy ? headers[values: .xForwardedFor] : [])
        address = ClientAddress(
            client, isProxy: proxies.contains(client), isShared: proxies.shared.contains(client))
        requestID = (isThroughProxy ? RequestID.taken(from: headers[.xRequestID]) : nil) ?? RequestID.random()
    }
}

extension IPAddress {
    fileprivate static let unknown: IPAddress = {
        guard let address = IPAddress("0.0.0.0") else { preconditionFailure("0.0.0.0 is an address") }
        return address
    }()
}
