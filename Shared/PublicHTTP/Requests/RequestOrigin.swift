package import HTTPTypes
package import PushTargets

/// Who sent a request, and the id under which it is found again in the logs.
package struct RequestOrigin: Hashable, Sendable {
    package let address: ClientAddress
    package let requestID: String

    /// - Parameter peer: The other side of the connection; nil for a Unix domain socket.
    package init(_ headers: HTTPFields, peer: IPAddress?, proxies: TrustedProxies) {
        // Without an address it is a Unix domain socket, whose other side is as near as a proxy.
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
