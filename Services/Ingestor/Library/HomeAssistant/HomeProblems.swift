import MQTT
import Synchronization
import WaterQuality

/// Sensors of problems for Home Assistant: one for each parameter with limits, and one for the device as a whole, of
/// devices whose owners let them show what they see. Told is whether there is a problem, and nothing of names or limits.
final class HomeProblems: Sendable {
    /// The problems of a device.
    struct Problems: Equatable, Sendable {
        var device: Bool
        /// The parameters with limits, and whether there is a problem with each.
        var parameters: [Parameter: Bool]

        fileprivate var watched: Set<Parameter> { Set(parameters.keys) }
    }

    private struct State {
        var devices: [String: Problems] = [:]
        /// The parameters whose sensors were announced on this connection.
        var announced: [String: Set<Parameter>] = [:]
        /// The parameters of which the broker may hold a sensor, whichever connection announced it.
        var held: [String: Set<Parameter>] = [:]
        /// The devices whose removal may not have arrived.
        var removed: Set<String> = []
        /// The devices of the last messages, and the sensors that are left if these arrived; nil: none.
        var sent: [String: Set<Parameter>?] = [:]
        /// The devices of which something is to be published; those without problems are taken away.
        var changed: Set<String> = []
        /// The devices whose removal has arrived, or is not due any more.
        var settled: Set<String> = []

        mutating func remove(_ device: String) {
            devices[device] = nil
            if removed.count < mostRemoved { removed.insert(device) }
            changed.insert(device)
        }

        /// Notes that the last messages arrived.
        mutating func settle() {
            for (device, sensors) in sent {
                held[device] = sensors
                if sensors == nil, devices[device] == nil {
                    removed.remove(device)
                    settled.insert(device)
                }
            }
            sent = [:]
        }
    }

    /// The most removals that are remembered while Home Assistant's broker is away.
    static let mostRemoved = 1_000

    private let state = Mutex(State())

    /// - Parameter device: A hardware id.
    func note(_ problems: Problems, of device: String) {
        state.withLock { state in
            state.devices[device] = problems
            if state.removed.remove(device) != nil { state.settled.insert(device) }
            state.changed.insert(device)
        }
    }

    /// Takes away what was announced of a device, in this turn or one before. That it has to be is noted beforehand.
    func remove(_ device: String) { state.withLock { $0.remove(device) } }

    /// The devices that are not to be taken away any more, since the last call: Home Assistant was told, or they are
    /// shown again.
    func takeSettled() -> [String] {
        state.withLock { state in
            defer { state.settled = [] }
            return state.settled.sorted()
        }
    }

    /// Ends the turn: forgets all devices, and says nothing, since another Ingestor tells of them. What it could not
    /// take away is noted.
    func forget() { state.withLock { $0 = State() } }

    /// Marks everything to be announced again, on a new connection. The last messages of the former one may be lost.
    func startAnew() {
        state.withLock { state in
            state.announced = [:]
            state.sent = [:]
            state.changed.formUnion(state.devices.keys)
            state.changed.formUnion(state.removed)
        }
    }

    /// The next messages to publish. Asking for them says that the connection took the last ones.
    /// - Parameter most: Most devices.
    func take(most: Int) -> [MQTTMessage] {
        state.withLock { state in
            state.settle()
            var messages: [MQTTMessage] = []
            for device in state.changed.prefix(most) {
                state.changed.remove(device)
                guard let problems = state.devices[device] else {
                    state.announced[device] = nil
                    state.sent[device] = .some(nil)
                    messages.append(HomeDiscovery.noProblems(of: device))
                    continue
                }
                let watched = problems.watched
                if state.announced[device] != watched {
                    let held = state.held[device] ?? []
                    messages.append(
                        HomeDiscovery.problems(of: device, watched, withdrawn: held.subtracting(watched)))
                    state.announced[device] = watched
                    state.held[device] = held.union(watched)
                    state.sent[device] = watched
                }
                messages.append(HomeDiscovery.state(of: device, problems))
            }
            return messages
        }
    }
}
