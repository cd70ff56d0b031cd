import Foundation

/// The time until the last person gets the alert.
struct StormFigures: Encodable, Sendable {
    let stormBreaches: Int
    let stormReceiverHosts: Int
    let stormPush: PushKind
    /// From the first publish to the last delivery.
    let stormSeconds: Double
    /// The rate between the first and the last delivery.
    let deliveriesPerSecond: Double
    let floorDeliveriesPerSecond: Double
    /// The peak memory of each process.
    let stormPeakMib: [String: Double]
    let stormCpuSeconds: [String: Double]

    init(
        breaches: Int, receivers: Int, push: PushKind, seconds: Double, deliverySpan: Double,
        idle: [String: ProcessUsage],
        after: [String: ProcessUsage], peak: [String: ProcessUsage], floor: Double
    ) {
        stormBreaches = breaches
        stormReceiverHosts = receivers
        stormPush = push
        stormSeconds = (seconds * 100).rounded() / 100
        deliveriesPerSecond = (Double(breaches) / deliverySpan).rounded()
        floorDeliveriesPerSecond = floor.rounded()
        stormPeakMib = peak.filter { $0.value.memoryMiB > 0 }.mapValues { ($0.memoryMiB * 10).rounded() / 10 }
        stormCpuSeconds = after.reduce(into: [:]) { costs, entry in
            let seconds = entry.value.cpuSeconds - (idle[entry.key]?.cpuSeconds ?? 0)
            costs[entry.key] = (seconds * 100).rounded() / 100
        }
    }

    var text: String {
        var lines = [
            "Storm: \(stormBreaches) devices out of range at once, \(stormBreaches) \(stormPush.standIn.words) on \(stormReceiverHosts == 1 ? "one host" : "\(stormReceiverHosts) hosts")",
            String(format: "  last delivery after %.2f s, %.0f deliveries/s", stormSeconds, deliveriesPerSecond),
            "  floor: the \(receiver) alone takes \(Int(floorDeliveriesPerSecond))/s from the same client library",
            "  process              CPU seconds   MiB at most",
        ]
        for (name, cpu) in stormCpuSeconds.sorted(by: { $0.value > $1.value }) {
            let memory = stormPeakMib[name].map { String(format: "%14.1f", $0) } ?? ""
            lines.append(
                "  " + name.padding(toLength: 18, withPad: " ", startingAt: 0) + String(format: "%14.2f", cpu) + memory)
        }
        return lines.joined(separator: "\n")
    }

    private var receiver: String {
        switch stormPush.standIn.receiver {
        case .web: "HTTP/2 receiver"
        case .mail: "mail server"
        }
    }
}
