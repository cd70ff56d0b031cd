import Foundation

/// What people wait for, on a database like that of production.
struct GatewayFigures: Encodable, Sendable {
    let storedReadings: Int
    let requestsPerSecond: Int
    /// From the request to the end of the answer, at that rate, latest and series by turns.
    let latestMs: Distribution
    let seriesMs: Distribution
    let listeners: Int
    /// What the Gateway's memory grew by with them.
    let memoryPerListenerKib: Double
    let memoryMib: Double
    /// From a device's publish to the event, with all listeners connected.
    let eventMs: Distribution

    private enum CodingKeys: String, CodingKey {
        case storedReadings = "gatewayStoredReadings"
        case requestsPerSecond = "gatewayRequestsPerSecond"
        case latestMs = "gatewayLatestMs"
        case seriesMs = "gatewaySeriesMs"
        case listeners = "gatewayListeners"
        case memoryPerListenerKib = "gatewayMemoryPerListenerKib"
        case memoryMib = "gatewayMemoryMib"
        case eventMs = "gatewayEventMs"
    }

    var text: String {
        var table = DistributionTable(
            "Gateway, \(storedReadings / 1_000_000) M readings stored, \(requestsPerSecond) requests/s (ms)")
        table.add("last values of a device", latestMs)
        table.add("twelve hours of one parameter, 300 points", seriesMs)
        table.add("publish to event, \(listeners) listeners", eventMs)
        let memory = String(
            format: "%d listeners: the Gateway has %.0f MiB, %.1f KiB for each", listeners, memoryMib,
            memoryPerListenerKib)
        return [table.text, memory].joined(separator: "\n\n")
    }
}
