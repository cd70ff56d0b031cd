package import PushTargets
import Synchronization

/// Counts open connections, altogether and for each network, and admits or refuses one more.
///
/// The limits for one network keep a single sender from taking all connections, or all processors with handshakes; a
/// trusted proxy speaks for many clients and has no such limit.
package final class ConnectionLimits: Sendable {
    private struct State {
        var total = 0
        var perNetwork: [IPNetwork: Int] = [:]
        var refused = 0
    }

    private let total: Int
    private let perNetwork: Int
    /// The limit on one network's handshakes; nil where connections cost none.
    private let handshakes: RateLimiter<IPNetwork>?
    private let state = Mutex(State())

    package init(total: Int, perNetwork: Int, handshakes: RatePolicy? = nil) {
        self.total = total
        self.perNetwork = perNetwork
        self.handshakes = handshakes.map { RateLimiter($0) }
    }

    package var count: Int { state.withLock(\.total) }
    /// Connections that were refused.
    package var refusedCount: Int { state.withLock(\.refused) }

    /// Counts a connection, which has to `leave` later.
    /// - Parameter network: The client's network; nil for a trusted proxy.
    /// - Returns: False if there are, or recently were, too many; the connection then does not count.
    package func enter(from network: IPNetwork?) -> Bool {
        state.withLock { state in
            let here = network.map { state.perNetwork[$0, default: 0] } ?? 0
            guard state.total < total, here < perNetwork, mayShakeHands(network) else {
                state.refused += 1
                return false
            }
            state.total += 1
            if let network { state.perNetwork[network] = here + 1 }
            return true
        }
    }

    private func mayShakeHands(_ network: IPNetwork?) -> Bool {
        guard let network, let handshakes else { return true }
        return handshakes.take(network, at: .now).isAllowed
    }

    package func leave(from network: IPNetwork?) {
        state.withLock { state in
            state.total -= 1
            guard let network, let here = state.perNetwork[network] else { return }
            state.perNetwork[network] = here > 1 ? here - 1 : nil
        }
    }
}
