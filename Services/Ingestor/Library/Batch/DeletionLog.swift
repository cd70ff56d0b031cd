import Store
import Synchronization
import WaterQuality

/// The devices of which readings were deleted lately. Each registry reads it from its own place on.
final class DeletionLog: Sendable {
    /// The most devices kept: for a registry that is further behind, it may have been any.
    static let most = 256

    private struct State {
        /// The last of those that were noted.
        var devices: [Device.ID] = []
        /// The place after them.
        var end = 0
    }

    private let state = Mutex(State())

    func note(_ device: Device.ID) {
        state.withLock { state in
            state.devices.append(device)
            if state.devices.count > Self.most { state.devices.removeFirst() }
            state.end += 1
        }
    }

    /// Takes note that it may have been any device.
    func noteAll() {
        state.withLock { state in
            state.devices = []
            state.end += 1
        }
    }

    /// The devices noted from a place on, which moves to the end; nil: it may have been any.
    func read(from place: inout Int) -> Set<Device.ID>? {
        state.withLock { state in
            defer { place = state.end }
            let behind = state.end - place
            return behind > state.devices.count ? nil : Set(state.devices.suffix(behind))
        }
    }
}
