import Store
import Synchronization

/// A listener's place on the board, given back when its stream ends, or when nobody writes the stream.
final class LivePlace: Sendable {
    let queue: LiveQueue
    private let hub: LiveHub
    private let number: Mutex<UInt64?>

    init(_ listener: LiveBoard.Listener, devices: Set<DeviceKey>, of hub: LiveHub) throws(LiveBoard.Refusal) {
        self.hub = hub
        queue = listener.queue
        number = Mutex(try hub.join(listener, devices: devices))
    }

    func leave() {
        let left = number.withLock { $0.take() }
        if let left { hub.leave(left, because: queue.end) }
    }

    deinit { leave() }
}
