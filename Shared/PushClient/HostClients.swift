import AsyncHTTPClient
import FoundationEssentials
import NIOCore
import PushTargets
import Synchronization

/// One HTTP client for each place that messages go to.
///
/// A place's client connects only to the address that was looked up and admitted: it asks no name server. The host name
/// is still what the certificate is checked against and what the request names. All messages to a place share the
/// client's connections. Of the unused places the most recent ones are kept.
final class HostClients: Sendable {
    struct Place: Hashable, Sendable {
        /// The host as in the target's URL.
        let host: String
        let address: IPAddress
        /// Whether the target needs the operator's permission: its connections may lead to permitted addresses only,
        /// others to public ones, too.
        let needsPermission: Bool

        init(_ target: PushTarget, _ address: IPAddress) {
            host = URL(string: target.url)?.host ?? target.host
            self.address = address
            needsPermission = target.needsPermission
        }
    }

    private struct Entry {
        let client: HTTPClient
        var users = 0
        /// The time of the last use, counted in uses of any place.
        var usedAt: UInt64 = 0
        /// Whether the place has answered a request.
        var hasAnswered = false
    }

    private struct State {
        var entries: [Place: Entry] = [:]
        var uses: UInt64 = 0
    }

    private let capacity: Int
    private let configuration: @Sendable (Place) -> HTTPClient.Configuration
    private let state = Mutex(State())
    /// Clients of places that are no longer kept.
    private let displaced: AsyncStream<HTTPClient>
    private let displace: AsyncStream<HTTPClient>.Continuation

    /// - Parameter capacity: The most places kept; places in use are always kept.
    init(capacity: Int = 384, configuration: @escaping @Sendable (Place) -> HTTPClient.Configuration) {
        self.capacity = capacity
        self.configuration = configuration
        (displaced, displace) = AsyncStream.makeStream()
    }

    /// The number of places kept.
    var count: Int { state.withLock(\.entries.count) }

    /// Uses the client of a place.
    /// - Parameter body: Also returns whether the place has answered.
    func withClient<Result>(of place: Place, _ body: (HTTPClient) async -> (Result, hasAnswered: Bool)) async -> Result
    {
        let client = take(place)
        let (result, hasAnswered) = await body(client)
        state.withLock { state in
            state.entries[place]?.users -= 1
            state.entries[place]?.hasAnswered = hasAnswered
        }
        return result
    }

    /// The addresses of a target, those that answered last before the others: a name may also lead to dead ones.
    func ordered(_ addresses: [IPAddress], of target: PushTarget) -> [IPAddress] {
        guard addresses.count > 1 else { return addresses }
        return state.withLock { state in
            let known = addresses.filter { state.entries[Place(target, $0)]?.hasAnswered ?? false }
            return known + addresses.filter { !known.contains($0) }
        }
    }

    private func take(_ place: Place) -> HTTPClient {
        state.withLock { state in
            state.uses += 1
            var entry = state.entries[place] ?? Entry(client: makeClient(place))
            entry.users += 1
            entry.usedAt = state.uses
            state.entries[place] = entry
            if state.entries.count > capacity,
                let oldest = state.entries.filter({ $0.value.users == 0 }).min(by: { $0.value.usedAt < $1.value.usedAt }
                )
            {
                state.entries[oldest.key] = nil
                displace.yield(oldest.value.client)
            }
            return entry.client
        }
    }

    private func makeClient(_ place: Place) -> HTTPClient {
        var configuration = configuration(place)
        configuration.dnsOverride = [place.host: place.address.text]
        return HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
    }

    /// Shuts down the clients of dropped places, until `shutdown`.
    func closeDisplaced() async {
        await withDiscardingTaskGroup { group in
            for await client in displaced {
                // Fails only if it is called twice.
                group.addTask { try? await client.shutdown() }
            }
        }
    }

    /// Shuts all clients down; none may be used afterwards.
    func shutdown() {
        let clients = state.withLock { state in
            defer { state.entries = [:] }
            return state.entries.values.map(\.client)
        }
        for client in clients { displace.yield(client) }
        displace.finish()
    }
}
