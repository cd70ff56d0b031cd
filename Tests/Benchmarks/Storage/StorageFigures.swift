import Foundation

/// The disk space of readings, and the time to query those of one device.
struct StorageFigures: Encodable, Sendable {
    /// The size with all indexes, maps and TOAST, after the first ten million readings.
    let bytesPerReading: Double
    let historyReadings: Int
    /// The query time with the readings in memory.
    let historyQueryMs: Distribution
    /// The query time after the caches were emptied, from the first query on.
    let historyQueryColdMs: Distribution
    let floorCopyRowsPerSecond: Double
    let floorCommitsPerSecond: Double

    var text: String {
        var history = DistributionTable("Last 12 hours of one parameter, \(historyReadings / 1_000_000) M stored (ms)")
        history.add("in memory", historyQueryMs)
        history.add("after a restart, first from the disk", historyQueryColdMs)
        let floors = """
            Floors: \(Rate.words(floorCopyRowsPerSecond)) rows by COPY, \(Rate.words(floorCommitsPerSecond)) commits
            """
        let bytes = String(format: "%.1f bytes per reading on the disk, indexes included", bytesPerReading)
        return [bytes, history.text, floors].joined(separator: "\n\n")
    }
}
