package import WaterQuality

/// What changed about devices that show something, as the payload of the channel `display`.
package enum DisplayNotice: Equatable, Sendable {
    /// Which devices show something, and what whose.
    case list
    /// Something has begun, was told or has ended with devices; nil: with any.
    case devices([Device.ID]?)

    package init(payload: String) {
        self = payload == "list" ? .list : .devices(ReadingNotice(payload: payload).devices)
    }
}
