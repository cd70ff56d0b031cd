import Instants
import TestSupport
import WaterQuality

/// One parameter of one device that goes beyond its limits.
struct Breach: Hashable, Sendable {
    /// The fleet's number of the device.
    var device: Int
    var parameter: Parameter
}

/// The times at which values leave their range.
enum BreachPlan: Sendable {
    /// Each device's temperature once: a second breach within half an hour would only be throttled.
    case once(share: Double)
    /// Each parameter of each device repeatedly, but only after this time, when the throttle is free again.
    case recurring(share: Double, rest: Duration)

    /// The share of the messages.
    var share: Double {
        switch self {
        case .once(let share), .recurring(let share, _): share
        }
    }
}

/// The payloads of devices: nine parameters, all within their limits or one beyond. All connections share them.
struct ReadingsTexts: Sendable {
    private let inRange: [[UInt8]]
    private let beyond: [[UInt8]]

    init(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        inRange = (0..<512).map { _ in Self.text(beyond: nil, &generator) }
        beyond = Parameter.ofManual.map { Self.text(beyond: $0, &generator) }
    }

    private static func text(beyond: Parameter?, _ generator: inout SeededGenerator) -> [UInt8] {
        let values = Parameter.ofManual.map { parameter in
            let (low, high) = (parameter.defaults.minimum?.count, parameter.defaults.maximum?.count)
            let range =
                (low ?? parameter.absoluteRange.lowerBound.count)...(high ?? parameter.absoluteRange.upperBound.count)
            let outside = high.map { $0 + 10 } ?? (range.lowerBound - 10)
            let steps = parameter == beyond ? outside : Int32.random(in: range, using: &generator)
            return "\"\(parameter.name)\":\(parameter.value(of: Steps(steps)))"
        }
        return Array(#"","readings":{\#(values.joined(separator: ","))}}"#.utf8)
    }

    subscript(_ parameter: Parameter?, _ random: UInt64) -> [UInt8] {
        parameter.map { beyond[Int($0.rawValue)] } ?? inRange[Int(random & 511)]
    }
}

/// The messages of some devices, in turn.
struct Traffic {
    let devices: [Int]
    private let plan: BreachPlan
    private let texts: ReadingsTexts
    private let topics: [[UInt8]]
    private var generator: SeededGenerator
    private var next = 0
    /// The time of the last breach by device and parameter.
    private var breachedAt: [Timestamp?]
    private var timeText: [UInt8] = []
    private var timeOfText = Timestamp(microseconds: 0)

    /// - Parameter devices: The devices' numbers. A device's messages leave on one connection, so that they keep their
    ///   order.
    init(devices: [Int], plan: BreachPlan, texts: ReadingsTexts, seed: UInt64) {
        self.devices = devices
        self.plan = plan
        self.texts = texts
        topics = devices.map { Array("aqua/v1/\(Fleet.hardwareID($0))/readings".utf8) }
        breachedAt = Array(repeating: nil, count: devices.count * Parameter.ofManual.count)
        generator = SeededGenerator(seed: seed)
    }

    /// Appends the next device's PUBLISH with QoS 1.
    /// - Returns: The breach that the message begins, if any.
    mutating func appendPublish(
        to packet: inout [UInt8], packetID: UInt16, at time: Timestamp, isBreach forced: Bool = false
    ) -> Breach? {
        let turn = next
        next = next + 1 == devices.count ? 0 : next + 1
        let parameter = forced ? .temperature : breach(of: turn, at: time)
        if let parameter { breachedAt[turn * Parameter.ofManual.count + Int(parameter.rawValue)] = time }
        if time != timeOfText {
            timeText = Array(#"{"time":"\#(time.iso8601)"#.utf8)
            timeOfText = time
        }
        let readings = texts[parameter, generator.next()]
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
        return parameter.map { Breach(device: devices[turn], parameter: $0) }
    }

    private mutating func breach(of turn: Int, at time: Timestamp) -> Parameter? {
        guard plan.share > 0, Double.random(in: 0..<1, using: &generator) < plan.share else { return nil }
        let first = turn * Parameter.ofManual.count
        switch plan {
        case .once:
            return breachedAt[first + Int(Parameter.temperature.rawValue)] == nil ? .temperature : nil
        case .recurring(_, let rest):
            return Parameter.ofManual.first { parameter in
                breachedAt[first + Int(parameter.rawValue)].map { time - $0 >= rest } ?? true
            }
        }
    }
}
