import TestSupport

/// The proxies between the services and their servers and endpoints.
struct Links: Sendable {
    private let links: [Fault.Link: FaultyLink]
    /// The links to the second endpoint and to the other person's endpoint never fail.
    let secondEndpoint: FaultyLink
    let otherEndpoint: FaultyLink

    subscript(_ endpoint: RoundRecord.Endpoint) -> FaultyLink {
        switch endpoint {
        case .first: self[.notifierEndpoint]
        case .second: secondEndpoint
        case .other: otherEndpoint
        }
    }

    subscript(_ link: Fault.Link) -> FaultyLink {
        guard let found = links[link] else { preconditionFailure("Every link was made when the suite began.") }
        return found
    }

    /// The minimum delay of a packet, as if database and endpoints were further away than this machine. Faults then hit
    /// open transactions and requests in flight.
    private static let latency = Duration.milliseconds(5)

    static func with<Result: Sendable>(
        _ body: (Links) async throws -> Result
    ) async throws -> Result {
        func open(_ rest: ArraySlice<Fault.Link>, _ links: [Fault.Link: FaultyLink]) async throws -> Result {
            guard let next = rest.first else {
                // Another address counts as another host, whose deliveries do not wait for the first host's.
                return try await FaultyLink.with(host: "127.0.0.2", latency: latency) { second in
                    try await FaultyLink.with(host: "127.0.0.3", latency: latency) { other in
                        try await body(Links(links: links, secondEndpoint: second, otherEndpoint: other))
                    }
                }
            }
            return try await FaultyLink.with(latency: next == .ingestorBroker ? .zero : latency) { link in
                try await open(rest.dropFirst(), links.merging([next: link]) { $1 })
            }
        }
        return try await open(Fault.Link.allCases[...], [:])
    }
}
