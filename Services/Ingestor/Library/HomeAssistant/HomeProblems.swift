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
        /// The devices of which something is to be published; those without problems are taken away.
        var changed: Set<String> = []
    }

    private let state = Mutex(State())

    /// - Parameter device: A hardware id.
    func note(_ problems: Problems, of device: String) {
        state.withLock { state in
            state.devices[device] = problems
            state.changed.insert(device)
        }
    }

    /// Takes away what was announced of a device.
    func remove(_ device: String) {
        state.withLock { state in
            state.devices[device] = nil
            state.changed.insert(device)
        }
    }

    /// Forgets all devices, and says nothing: another Ingestor tells of them.
    func forget() { state.withLock { $0 = State() } }

    /// Marks everything to be announced again, on a new connection.
    func startAnew() {
        state.withLock { state in
            state.announced = [:]
            state.changed.formUnion(state.devices.keys)
        }
    }

    /// The next messages to publish.
    /// - Parameter most: Most devices.
    func take(most: Int) -> [MQTTMessage] {
        state.withLock { state in
            var messages: [MQTTMessage] = []
            for device in state.changed.prefix(most) {
                state.changed.remove(device)
                let before = state.announced[device]
                guard let problems = state.devices[device] else {
                    state.announced[device] = nil
                    messages.append(HomeDiscovery.noProblems(of: device))
                    continue
                }
                if before != problems.watched {
                    messages.append(
                        HomeDiscovery.problems(
                            of: device, problems.watched, withdrawn: (before ?? []).subtracting(problems.watched)))
                    state.announced[device] = problems.watched
                }
                messages.append(HomeDiscovery.state(of: device, problems))
            }
            return messages
        }
    }
}
