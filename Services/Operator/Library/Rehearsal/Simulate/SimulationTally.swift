import Synchronization

/// What the devices of a simulation did, counted together.
final class SimulationTally: Sendable {
    struct Counts: Report, Hashable {
        var devices = 0
        var messages = 0
        var acknowledged = 0
        var reconnects = 0

        var text: String {
            "\(devices) devices: \(messages) messages, \(acknowledged) acknowledged, \(reconnects) reconnects"
        }
    }

    private let state = Mutex(Counts())

    var counts: Counts { state.withLock { $0 } }

    func count(_ change: (inout Counts) -> Void) { state.withLock { change(&$0) } }
}
