import ServiceKit

/// Why a message, or a part of one, could not be taken. The raw values are stored and label a metric.
package enum RejectReason: String, MetricLabel, Error {
    package static let labelName = "reason"

    /// Not a topic of a device.
    case topic
    /// The device is unknown: nobody added it.
    case unknownDevice
    /// More than the device's bucket holds: the one case in which a reading is shed.
    case flood
    case tooLarge
    /// Not JSON, or of an unknown shape.
    case malformed
    case unknownParameter
    /// Not a number where one belongs.
    case wrongType
    /// Not a unit of this parameter.
    case unknownUnit
    /// A value for which the formula of its unit does not hold.
    case beyondUnit
    /// A time that cannot be read; the time of receipt is used instead.
    case badTime
    /// A position that is none; the readings beside it count.
    case badPosition
    /// Older than samples are kept.
    case tooOld
    /// A value with which a probe reports itself broken: never water.
    case probeFault
    /// A temperature of a probe other than the one that measures this device's water.
    case otherProbe
    /// A value of a second board of one kind, which has no identity: the first counts.
    case secondProbe
    /// A status other than `online` and `offline`.
    case status
    /// The database refuses the message, even by itself.
    case refused
}
