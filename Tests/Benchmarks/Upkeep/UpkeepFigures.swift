import Foundation

/// The cost of rolling up an hour of a fleet that reports nine parameters every 30 seconds.
struct UpkeepFigures: Encodable, Sendable {
    let rollUpDevices: Int
    let rollUpSecondsPerHour: Double
    /// The slowest of the roll-up's 64 transactions.
    let rollUpLongestMs: Double
    /// The size with the index.
    let rollUpBytesPerDeviceHour: Double
    /// The roll-up of a due hour of one device.
    let rollUpAgainMs: Distribution

    var text: String {
        var again = DistributionTable("An hour of one device rolled up again (ms)")
        again.add("in memory", rollUpAgainMs)
        let hour = String(
            format: "An hour of %d devices rolled up in %.1f s, the longest transaction %.0f ms; %.0f bytes each",
            rollUpDevices, rollUpSecondsPerHour, rollUpLongestMs, rollUpBytesPerDeviceHour)
        return [hour, again.text].joined(separator: "\n\n")
    }
}
