package import WaterQuality

/// What changed about devices that show something, as the payload of the channel `display`.
package enum DisplayNotice: Equatable, Sendable {
    /// Which devices show something, and what whose.
    case list
    /// Something has begun, was told or has ended with devices; nil: with any.
    case devices([Device.ID]?)
    /// Readings of a device were deleted: what is known of its values holds no longer.
    case anew(Device.ID)

    private static let anew = "anew "

    /// - Parameter payload: A payload of the channel. What only a newer version sends stands for any device.
    package init(payload: String) {
        if payload == "list" {
            self = .list
        } else if payload.hasPrefix(Self.anew), let number = Int32(payload.dropFirst(Self.anew.count)) {
            self = .anew(Device.ID(rawValue: number))
        } else {
            self = .devices(ReadingNotice(payload: payload).devices)
        }
    }
}
