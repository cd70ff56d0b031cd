import TestSupport

/// The proxies between the services and what they use.
struct Links: Sendable {
    private let links: [Fault.Link: FaultyLink]
    /// Nothing ever goes wrong with the way to the second endpoint, nor to the other person's.
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

    /// What a packet takes at least, as if database and endpoints were further away than this machine: whatever goes wrong
    /// then finds transactions open and requests on their way.
    private static let latency = Duration.milliseconds(5)

    static func with<Result: Sendable>(
        _ body: (Links) async throws -> Result
    ) async throws -> Result {
        func open(_ rest: ArraySlice<Fault.Link>, _ links: [Fault.Link: FaultyLink]) async throws -> Result {
            guard let next = rest.first else {
                // Another address is another host, whose deliveries do not wait for those of the first.
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
