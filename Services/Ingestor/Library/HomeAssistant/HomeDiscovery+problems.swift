import MQTT
import Routes
import WaterQuality

/// Messages about a device's problems. Their announcement is one of its own, for the same device: it comes and goes with
/// the owner's wish, and from whichever Ingestor keeps displays.
extension HomeDiscovery {
    /// The announcement of the sensors.
    /// - Parameter withdrawn: Parameters whose sensors were announced before, and are taken away.
    static func problems(of device: String, _ watched: Set<Parameter>, withdrawn: Set<Parameter> = []) -> MQTTMessage {
        var components: [JSON.Member] = [.init("problem", problem(device, nil))]
        for parameter in Parameter.allCases where watched.contains(parameter) {
            components.append(.init("\(parameter.name)_problem", problem(device, parameter)))
        }
        // A sensor with nothing but its platform is taken away.
        for parameter in Parameter.allCases where withdrawn.contains(parameter) {
            components.append(.init("\(parameter.name)_problem", .object(["platform": "binary_sensor"])))
        }
        return announcement(of: device, "\(device)_problems", components)
    }

    /// Takes the sensors away.
    static func noProblems(of device: String) -> MQTTMessage {
        MQTTMessage(topic: configurationTopic("\(device)_problems"), payload: [], qos: .atMostOnce, retain: true)
    }

    /// The state of all sensors in one message. Not retained, like values.
    static func state(of device: String, _ problems: HomeProblems.Problems) -> MQTTMessage {
        func word(_ isProblem: Bool) -> JSON { isProblem ? "ON" : "OFF" }
        var members: [JSON.Member] = [.init("device", word(problems.device))]
        for parameter in Parameter.allCases {
            if let isProblem = problems.parameters[parameter] { members.append(.init(parameter.name, word(isProblem))) }
        }
        return MQTTMessage(
            topic: topic(device, "problems"), payload: JSON.object(members).bytes, qos: .atMostOnce)
    }

    private static func problem(_ device: String, _ parameter: Parameter?) -> JSON {
        let name = parameter?.name ?? "device"
        return .object([
            .init("platform", "binary_sensor"), .init("unique_id", .string("aquamonitor_\(device)_\(name)_problem")),
            .init("name", .string(parameter.map { "\($0.title) problem" } ?? "Problem")),
            .init("state_topic", .string(topic(device, "problems"))),
            .init("value_template", .string("{{ value_json.\(name) }}")), .init("device_class", "problem"),
            .init("expire_after", .integer(expires.components.seconds)),
        ])
    }
}
