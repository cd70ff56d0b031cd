import ServiceKit

/// Why a message, or a part of one, could not be counted. The raw values are stored and label a metric.
package enum RejectReason: String, MetricLabel, Error {
    package static let labelName = "reason"

    /// Not a topic of a device.
    case topic
    /// Nobody added this device.
    case unknownDevice
    /// More than its bucket holds: the one case in which a reading is shed.
    case flood
    case tooLarge
    /// Not JSON, or not of a shape that is known.
    case malformed
    case unknownParameter
    /// Not a number where one belongs.
    case wrongType
    /// Not a unit of this parameter.
    case unknownUnit
    /// A value for which the formula of its unit does not hold.
    case beyondUnit
    /// A time that cannot be read; the time of receipt stands in.
    case badTime
    /// Taken longer ago than samples are kept.
    case tooOld
    /// A value by which a probe says that it is broken: never water.
    case probeFault
    /// A temperature of another probe than the one that measures this device's water.
    case otherProbe
    /// A value of a second board of a kind that has no identity: the first counts.
    case secondProbe
    /// A status other than `online` and `offline`.
    case status
    /// The database would not have it, alone.
    case refused
}
