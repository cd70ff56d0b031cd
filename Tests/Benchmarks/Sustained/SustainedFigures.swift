import Foundation

/// What the whole pipeline sustains, what that costs, and the latency at half of it.
struct SustainedFigures: Encodable, Sendable {
    let devices: Int
    let sustainedMessagesPerSecond: Double
    /// The most messages that waited at one time.
    let highestBacklog: Int
    let floorMessagesPerSecond: Double
    let sustainedToFloor: Double
    let cost: ServiceCost
    let halfLoad: HalfLoad

    struct HalfLoad: Encodable, Sendable {
        let rate: Double
        let alerts: Int
        let latency: Distribution
    }

    init(devices: Int, held: BacklogSamples, cost: ServiceCost, halfLoad: HalfLoad, floor: Double) {
        self.devices = devices
        sustainedMessagesPerSecond = held.rate
        highestBacklog = held.highest
        floorMessagesPerSecond = floor.rounded()
        sustainedToFloor = (held.rate / floor * 1_000).rounded() / 1_000
        self.cost = cost
        self.halfLoad = halfLoad
    }

    private enum CodingKeys: String, CodingKey {
        case devices, sustainedMessagesPerSecond, highestBacklog, floorMessagesPerSecond, sustainedToFloor
        case halfLoadRate, halfLoadAlerts
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(devices, forKey: .devices)
        try container.encode(sustainedMessagesPerSecond, forKey: .sustainedMessagesPerSecond)
        try container.encode(highestBacklog, forKey: .highestBacklog)
        try container.encode(floorMessagesPerSecond, forKey: .floorMessagesPerSecond)
        try container.encode(sustainedToFloor, forKey: .sustainedToFloor)
        try container.encode(halfLoad.rate, forKey: .halfLoadRate)
        try container.encode(halfLoad.alerts, forKey: .halfLoadAlerts)
        try cost.encode(to: encoder)
    }

    var text: String {
        let share = String(format: "%.0f", sustainedToFloor * 100)
        var lines = [
            "Sustained by \(devices) devices: \(Int(sustainedMessagesPerSecond)) messages/s of nine parameters",
            "  stored, rule-checked, 1 % of them out of range, queues level for \(SustainedMeasurement.hold) s; at most \(highestBacklog) waited",
            "  floor: the broker alone moves \(Int(floorMessagesPerSecond)) messages/s, so that is \(share) % of it",
            "  process           CPU ms per 1,000 messages        MiB",
        ]
        for (name, cpu) in cost.cpuMsPer1000Messages.sorted(by: { $0.value > $1.value }) {
            let memory = cost.rssMib[name].map { String(format: "%.1f", $0) } ?? ""
            lines.append(
                "  " + name.padding(toLength: 18, withPad: " ", startingAt: 0) + String(format: "%25.2f", cpu)
                    + String(repeating: " ", count: max(1, 11 - memory.count)) + memory)
        }
        var latency = DistributionTable("At \(Int(halfLoad.rate)) messages/s, \(halfLoad.alerts) alerts (ms)")
        latency.add("publish -> arrival at the HTTP/2 receiver", halfLoad.latency)
        return lines.joined(separator: "\n") + "\n\n" + latency.text
    }
}
