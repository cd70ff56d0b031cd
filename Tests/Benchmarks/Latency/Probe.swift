import Instants
import MQTT
import MQTTFleet
import TestSupport
import WaterQuality

/// A device of the benchmark, connected like real firmware.
struct Probe: Sendable {
    let device: String
    private let client: MQTTFleet.Client
    private let fleet: MQTTFleet

    static func connect(
        _ device: String, password: String, to broker: TestBroker, _ fleet: MQTTFleet
    ) async throws -> Probe {
        let configuration = MQTTConfiguration(
            endpoint: try MQTTEndpoint(url: broker.url), clientID: device,
            credentials: MQTTCredentials(user: device, password: password))
        return Probe(device: device, client: try await fleet.add(configuration), fleet: fleet)
    }

    func reading(_ water: Water, at time: Timestamp) -> MQTTMessage {
        MQTTMessage(topic: "aqua/v1/\(device)/readings", payload: water.payload(at: time))
    }

    /// A message of a reading's size that only the broker processes.
    func unheardMessage() -> MQTTMessage {
        MQTTMessage(
            topic: "aqua/v1/\(device)/unheard", payload: Water.inRange.payload(at: Timestamp(microseconds: 0)))
    }

    /// Publishes a message and returns when the broker has acknowledged it.
    func publish(_ message: MQTTMessage) async throws { try await fleet.publish(message, as: client) }
}

/// All nine parameters, within the limits that a device starts with, or with one parameter beyond them.
enum Water: Sendable {
    case inRange
    case tooWarm

    private func value(of parameter: Parameter) -> Float {
        let defaults = parameter.defaults
        let minimum = defaults.minimum?.count ?? parameter.absoluteRange.lowerBound.count
        let maximum = defaults.maximum?.count ?? parameter.absoluteRange.upperBound.count
        let isBeyond = self == .tooWarm && parameter == .temperature
        return parameter.value(of: Steps(isBeyond ? maximum + 10 : (minimum + maximum) / 2))
    }

    fileprivate func payload(at time: Timestamp) -> [UInt8] {
        let readings = Parameter.ofManual.map { "\"\($0.name)\":\(value(of: $0))" }.joined(separator: ",")
        return Array(#"{"time":"\#(time.iso8601)","readings":{\#(readings)}}"#.utf8)
    }
}
