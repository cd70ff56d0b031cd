import Instants
import Store
import WaterQuality

/// A message that waits for its decision. Messages stand in the order of their slot.
struct ClaimedMessage {
    var slot: Slot
    var receivedAt: Timestamp
    var content: EvaluationBatch.Message
    /// The message's device as the engine remembers it; `nil` when the device has no owner.
    var watched: WatchedDevice?

    var device: DeviceKey { DeviceKey(slot: slot, device: content.device) }
}
