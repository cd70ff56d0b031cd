import Foundation

/// The cost of rolling up an hour of a fleet that reports nine parameters every 30 seconds.
struct UpkeepFigures: Encodable, Sendable {
    let rollUpDevices: Int
    let rollUpSecondsPerHour: Double
    /// The slowest of the roll-up's 64 transactions.
    let rollUpLongestMs: Double
    /// The bytes of a device's hour, index included.
    let rollUpBytesPerDeviceHour: Double
    /// The roll-up of one device's hour that was due again.
    let rollUpAgainMs: Distribution
    /// The cost of putting a day to QARTOD's tests, in percent of the roll-up of its hours: for a device in calm water,
    /// and for one that sends nonsense all the time.
    let reviewPercent: Double
    let nonsensePercent: Double

    var text: String {
        var again = DistributionTable("An hour of one device rolled up again (ms)")
        again.add("in memory", rollUpAgainMs)
        let hour = String(
            format: "An hour of %d devices rolled up in %.1f s, the longest transaction %.0f ms; %.0f bytes each",
            rollUpDevices, rollUpSecondsPerHour, rollUpLongestMs, rollUpBytesPerDeviceHour)
        let review = String(
            format: "A day at the tests costs %.1f %% of the roll-up of its hours; nonsense all day %.0f %%",
            reviewPercent,
            nonsensePercent)
        return [hour, review, again.text].joined(separator: "\n\n")
    }
}
