/// Whose clock an event time comes from. The raw values are stored with each sample.
package enum TimeSource: Int16, Sendable {
    case device = 0
    case receipt = 1
}

/// When a reading was taken, as far as it can be known, and whose clock says so.
package struct EventTime: Hashable, Sendable {
    package let time: Timestamp
    package let source: TimeSource

    /// A device's clock may run this far behind the receipt: a device that was offline sends its memory.
    package static let furthestBack = Duration.seconds(7 * 86_400)
    /// ... and this far ahead.
    package static let furthestAhead = Duration.seconds(5 * 60)

    /// The device's time when it is plausible (both ends included), else the time of receipt: microcontrollers
    /// without a clock send 1970 or their uptime.
    package init(device: Timestamp?, receipt: Timestamp) {
        if let device, device >= receipt - Self.furthestBack, device <= receipt + Self.furthestAhead {
            time = device
            source = .device
        } else {
            time = receipt
            source = .receipt
        }
    }
}
