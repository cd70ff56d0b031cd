import AsyncHTTPClient
import FoundationEssentials
import NIOCore
import PushTargets
import Synchronization

/// An HTTP client for each place that messages go to.
///
/// The client of a place dials the address that was looked up and admitted, and nothing else: it asks no name server.
/// The name stays what the certificate has to be for and what the request names as its host. All messages to the place share the
/// client's connections. Of the unused places the most recent ones are remembered.
final class HostClients: Sendable {
    struct Place: Hashable, Sendable {
        /// As the target's URL spells it.
        let host: String
        let address: IPAddress
        /// Connections of targets that need none may lead to public addresses, those of others to named ones only.
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
        /// When it was used last, counted in uses of any.
        var usedAt: UInt64 = 0
        /// The place has answered a request.
        var hasAnswered = false
    }

    private struct State {
        var entries: [Place: Entry] = [:]
        var uses: UInt64 = 0
    }

    private let capacity: Int
    private let configuration: @Sendable (Place) -> HTTPClient.Configuration
    private let state = Mutex(State())
    /// Clients whose place is forgotten.
    private let displaced: AsyncStream<HTTPClient>
    private let displace: AsyncStream<HTTPClient>.Continuation

    /// - Parameter capacity: How many places are remembered; those in use are, in any case.
    init(capacity: Int = 384, configuration: @escaping @Sendable (Place) -> HTTPClient.Configuration) {
        self.capacity = capacity
        self.configuration = configuration
        (displaced, displace) = AsyncStream.makeStream()
    }

    /// How many places are remembered.
    var count: Int { state.withLock(\.entries.count) }

    /// Uses the client of a place.
    /// - Parameter body: Returns also whether the place has answered.
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

    /// The addresses of a target, the one that answered last before the others: a name may also lead to some that do not.
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

    /// Shuts clients down whose place is forgotten, until `shutdown`.
    func closeDisplaced() async {
        await withDiscardingTaskGroup { group in
            for await client in displaced {
                // Fails only when it is called twice.
                group.addTask { try? await client.shutdown() }
            }
        }
    }

    /// Shuts all clients down; none may be used any more.
    func shutdown() {
        let clients = state.withLock { state in
            defer { state.entries = [:] }
            return state.entries.values.map(\.client)
        }
        for client in clients { displace.yield(client) }
        displace.finish()
    }
}
