/// The proxies between the services and what they use.
struct Links: Sendable {
    private let links: [Fault.Link: FaultyLink]
    /// Nothing ever goes wrong with the way to the second endpoint.
    let secondEndpoint: FaultyLink

    subscript(_ link: Fault.Link) -> FaultyLink {
        guard let found = links[link] else { preconditionFailure("Every link was made when the suite began.") }
        return found
    }

    /// - Parameter latency: What an answer of an endpoint takes at least, as it does over the internet: a service that is
    ///   killed then has requests on their way.
    static func with<Result: Sendable>(
        latency: Duration, _ body: (Links) async throws -> Result
    ) async throws -> Result {
        func open(_ rest: ArraySlice<Fault.Link>, _ links: [Fault.Link: FaultyLink]) async throws -> Result {
            guard let next = rest.first else {
                // Another address is another host, whose deliveries do not wait for those of the first.
                return try await FaultyLink.with(host: "127.0.0.2", latency: latency) {
                    try await body(Links(links: links, secondEndpoint: $0))
                }
            }
            return try await FaultyLink.with(latency: next == .notifierEndpoint ? latency : .zero) { link in
                try await open(rest.dropFirst(), links.merging([next: link]) { $1 })
            }
        }
        return try await open(Fault.Link.allCases[...], [:])
    }
}
