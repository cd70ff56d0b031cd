import Foundation

/// The sustained rate of the whole pipeline, its cost, and the latency at half of it.
struct SustainedFigures: Encodable, Sendable {
    let fleet: FleetShape
    let devices: Int
    /// The number of people who watch each device besides its owner.
    let watchers: Int
    /// The number of reporting clients of the broker.
    let connections: Int
    let seconds: Int
    let alarms: Int
    let recoveries: Int
    let hoursRolledUp: Int
    let sustainedMessagesPerSecond: Double
    /// The maximum number of waiting messages.
    let highestBacklog: Int
    let floorMessagesPerSecond: Double
    let sustainedToFloor: Double
    let cost: ServiceCost
    let halfLoad: HalfLoad
    let people: People?

    /// The waiting times of people during the load.
    struct People: Encodable, Sendable {
        let requestsPerSecond: Int
        let latestMs: Distribution
        let seriesMs: Distribution
    }

    struct HalfLoad: Encodable, Sendable {
        let rate: Double
        let alerts: Int
        let latency: Distribution
    }

    init(load: FleetLoad, members: Int, held: HeldRate, halfLoad: HalfLoad, floor: Double) {
        fleet = load.shape
        devices = load.devices
        watchers = load.watchers
        connections = members
        seconds = held.seconds
        alarms = held.alarms
        recoveries = held.recoveries
        hoursRolledUp = held.hoursRolledUp
        sustainedMessagesPerSecond = held.samples.rate
        highestBacklog = held.samples.highest
        floorMessagesPerSecond = floor.rounded()
        sustainedToFloor = (held.samples.rate / floor * 1_000).rounded() / 1_000
        cost = held.cost
        self.halfLoad = halfLoad
        people = held.people
    }

    private enum CodingKeys: String, CodingKey {
        case fleet, devices, watchers, connections, seconds, alarms, recoveries, hoursRolledUp
        case sustainedMessagesPerSecond, highestBacklog, floorMessagesPerSecond, sustainedToFloor
        case halfLoadRate, halfLoadAlerts, people
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(fleet, forKey: .fleet)
        try container.encode(devices, forKey: .devices)
        try container.encode(watchers, forKey: .watchers)
        try container.encode(connections, forKey: .connections)
        try container.encode(seconds, forKey: .seconds)
        try container.encode(alarms, forKey: .alarms)
        try container.encode(recoveries, forKey: .recoveries)
        try container.encode(hoursRolledUp, forKey: .hoursRolledUp)
        try container.encode(sustainedMessagesPerSecond, forKey: .sustainedMessagesPerSecond)
        try container.encode(highestBacklog, forKey: .highestBacklog)
        try container.encode(floorMessagesPerSecond, forKey: .floorMessagesPerSecond)
        try container.encode(sustainedToFloor, forKey: .sustainedToFloor)
        try container.encode(halfLoad.rate, forKey: .halfLoadRate)
        try container.encode(halfLoad.alerts, forKey: .halfLoadAlerts)
        try container.encodeIfPresent(people, forKey: .people)
        try cost.encode(to: encoder)
    }

    var text: String {
        let share = String(format: "%.0f", sustainedToFloor * 100)
        var lines = [
            "Sustained: \(Int(sustainedMessagesPerSecond)) messages/s of nine parameters over \(connections) connections (fleet: \(fleet.rawValue)), \(devices) devices of \(1 + watchers) people each",
            "  stored, rule-checked, queues level for \(seconds) s; at most \(highestBacklog) waited",
            "  meanwhile \(alarms) alarms and \(recoveries) all-clears arrived, \(hoursRolledUp) hours of a slot were rolled up",
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
        if let people {
            latency.add("beside the rate held, \(people.requestsPerSecond)/s: last values of a device", people.latestMs)
            latency.add("beside the rate held, \(people.requestsPerSecond)/s: twelve hours", people.seriesMs)
        }
        return lines.joined(separator: "\n") + "\n\n" + latency.text
    }
}
