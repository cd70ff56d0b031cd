import TestSupport
import WaterQuality

/// What some devices say, in turn: nine parameters that vary a little within their limits, and now and then one beyond.
struct Traffic {
    private let breachShare: Double
    let devices: [Int]
    private let topics: [[UInt8]]

    private let inRange: [[UInt8]]
    private let tooWarm: [UInt8]
    private var generator: SeededGenerator
    private var next = 0
    private var hasBreached: [Bool]
    private var timeText: [UInt8] = []
    private var timeOfText = Timestamp(microseconds: 0)

    /// - Parameters:
    ///   - devices: Their numbers; each device's messages go out on one connection, so that they keep their order.
    ///   - breachShare: How many of the messages have a temperature beyond its maximum. A device breaches once: a second
    ///     time within half an hour it would only be throttled.
    init(devices: [Int], breachShare: Double, seed: UInt64) {
        self.devices = devices
        self.breachShare = breachShare
        var generator = SeededGenerator(seed: seed)
        topics = devices.map { Array("aqua/v1/\(Fleet.hardwareID($0))/readings".utf8) }
        inRange = (0..<512).map { _ in Self.readings(isTooWarm: false, &generator) }
        tooWarm = Self.readings(isTooWarm: true, &generator)
        hasBreached = Array(repeating: false, count: devices.count)
        self.generator = generator
    }

    private static func readings(isTooWarm: Bool, _ generator: inout SeededGenerator) -> [UInt8] {
        let values = Parameter.allCases.map { parameter in
            let minimum = parameter.defaults.minimum?.count ?? parameter.absoluteRange.lowerBound.count
            let maximum = parameter.defaults.maximum?.count ?? parameter.absoluteRange.upperBound.count
            let steps =
                isTooWarm && parameter == .temperature
                ? maximum + 10 : Int32.random(in: minimum...maximum, using: &generator)
            return "\"\(parameter.name)\":\(parameter.value(of: Steps(steps)))"
        }
        return Array(#"","readings":{\#(values.joined(separator: ","))}}"#.utf8)
    }

    /// Appends the next device's PUBLISH with QoS 1.
    /// - Returns: The device's number if its water is too warm now.
    mutating func appendPublish(
        to packet: inout [UInt8], packetID: UInt16, at time: Timestamp, isBreach forced: Bool = false
    ) -> Int? {
        let turn = next
        next = next + 1 == devices.count ? 0 : next + 1
        let isBreach =
            forced
            || breachShare > 0 && !hasBreached[turn] && Double.random(in: 0..<1, using: &generator) < breachShare
        if isBreach { hasBreached[turn] = true }
        if time != timeOfText {
            timeText = Array(#"{"time":"\#(time.iso8601)"#.utf8)
            timeOfText = time
        }
        let readings = isBreach ? tooWarm : inRange[Int(generator.next() & 511)]
        let topic = topics[turn]
        packet.append(MQTTWire.publishQoS1)
        MQTTWire.appendLength(2 + topic.count + 2 + timeText.count + readings.count, to: &packet)
        packet.append(UInt8(topic.count >> 8))
        packet.append(UInt8(topic.count & 0xFF))
        packet += topic
        packet.append(UInt8(packetID >> 8))
        packet.append(UInt8(packetID & 0xFF))
        packet += timeText
        packet += readings
        return isBreach ? devices[turn] : nil
    }
}
