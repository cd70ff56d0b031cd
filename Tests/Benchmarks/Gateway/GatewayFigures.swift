import Foundation

/// The times that people wait, on a database of production size.
struct GatewayFigures: Encodable, Sendable {
    let storedReadings: Int
    /// The number of people who are members of projects of 200 devices; 0: each has a device of their own.
    let members: Int
    /// The figures of the rates that could be held.
    let asked: [Asked]
    let signInsPerSecond: Double
    /// A transaction that reads a person's last values and alerts, with row-level security and without.
    let securedMs: Distribution
    let unsecuredMs: Distribution
    let listeners: Int
    /// The growth of the Gateway's memory with these listeners.
    let memoryPerListenerKib: Double
    let memoryMib: Double
    /// From a device's publish to the event, with all listeners connected.
    let eventMs: Distribution

    /// Last values and series, and of members all last values, in turn, each from the time when the request was due to the end of the answer.
    struct Asked: Encodable, Sendable {
        let requestsPerSecond: Int
        let latestMs: Distribution
        let seriesMs: Distribution
        /// The last values of all devices of a member; nil without projects.
        let overviewMs: Distribution?
        /// The processor time of one request.
        let gatewayCpuMs: Double
        let postgresCpuMs: Double
    }

    private enum CodingKeys: String, CodingKey {
        case storedReadings = "gatewayStoredReadings"
        case members = "gatewayMembers"
        case asked = "gatewayAsked"
        case signInsPerSecond = "gatewaySignInsPerSecond"
        case securedMs = "gatewayRowSecurityMs"
        case unsecuredMs = "gatewayNoRowSecurityMs"
        case listeners = "gatewayListeners"
        case memoryPerListenerKib = "gatewayMemoryPerListenerKib"
        case memoryMib = "gatewayMemoryMib"
        case eventMs = "gatewayEventMs"
    }

    var text: String {
        let whose = members == 0 ? "" : ", \(members) people in projects of \(Projects.devicesEach) devices"
        var table = DistributionTable("Gateway, \(storedReadings / 1_000_000) M readings stored\(whose) (ms)")
        for asked in asked {
            table.add("\(asked.requestsPerSecond)/s: last values of a device", asked.latestMs)
            table.add("\(asked.requestsPerSecond)/s: twelve hours, 300 points", asked.seriesMs)
            if let overview = asked.overviewMs {
                table.add("\(asked.requestsPerSecond)/s: last values of all devices", overview)
            }
        }
        table.add("a transaction with row-level security", securedMs)
        table.add("the same without", unsecuredMs)
        table.add("publish to event, \(listeners) listeners", eventMs)
        let cost = asked.last.map {
            String(
                format: "a request at %d/s: Gateway %.2f ms, PostgreSQL %.2f ms of a processor", $0.requestsPerSecond,
                $0.gatewayCpuMs, $0.postgresCpuMs)
        }
        let others = String(
            format: "%.1f sign-ins/s\n%d listeners: the Gateway has %.0f MiB, %.1f KiB for each", signInsPerSecond,
            listeners, memoryMib, memoryPerListenerKib)
        return [table.text, cost ?? "No rate could be held", others].joined(separator: "\n\n")
    }
}
