import Foundation

/// What it costs to roll up an hour of a fleet that reports nine parameters every 30 seconds.
struct UpkeepFigures: Encodable, Sendable {
    let rollUpDevices: Int
    let rollUpSecondsPerHour: Double
    /// The slowest of its 64 transactions.
    let rollUpLongestMs: Double
    /// With the index.
    let rollUpBytesPerDeviceHour: Double
    /// An hour of one device, which something came late for.
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
