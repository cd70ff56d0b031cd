import Foundation
import MQTT
import TestSupport
import Testing
import WaterQuality

@testable import Ingestor

/// The broker's files, this program's subscriptions and its reading of topics agree.
@Suite struct BrokerTopicTests {
    private func url(_ name: String) -> URL { Paths.repository.appending(path: "deploy/broker/\(name)") }
    private func file(_ name: String) throws -> String { try String(contentsOf: url(name), encoding: .utf8) }

    /// The topics that a device may write, but for its button.
    private func writable() throws -> [String] {
        try file("acl").matches(of: /(?m)^pattern write (.*)$/).map {
            String($0.output.1).replacing("%u", with: "tank-1")
        }.filter { $0 != Self.button }
    }

    private static let button = "aqua/v1/tank-1/button"

    /// Buttons and displays are whoever's who keeps displays, and no lane's: a lane would set them aside.
    @Test func theButtonAndTheDisplayAreNoReadings() throws {
        #expect(try file("acl").contains("\npattern write aqua/v1/%u/button\n"))
        #expect(try !file("acl").contains("pattern write aqua/v1/%u/display"))
        let tank = try #require(Topic("aqua/v1/tank-1/readings"))
        for topic in [Self.button, "aqua/v1/tank-1/display"] {
            #expect(Topic(topic) == nil && DisplayTopic(topic) != nil && !tank.allowsReceipt(to: topic))
            #expect(!Topic.subscriptions(isShared: false).contains { matches(topic, $0.filter) })
            #expect(DisplayTopic.subscriptions.contains { matches(topic, $0.filter) })
        }
        #expect(DisplayTopic("aqua/v1/tank-1/display/x") == nil && DisplayTopic("aqua/v1//button") == nil)
        #expect(tank.allowsReceipt(to: "aqua/v1/tank-1/display/receipts"))
    }

    @Test func everyTopicThatADeviceWritesIsReadAndSubscribedTo() throws {
        for topic in try writable() {
            let found = try #require(Topic(topic), "\(topic)")
            #expect(
                found.isNameless == topic.contains("+"), "\(topic): what has no name is cleared, what has one is not")
            let filters = Topic.subscriptions(isShared: false).map(\.filter)
            #expect(filters.contains { matches(topic, $0) }, "\(topic)")
            #expect(!found.allowsReceipt(to: topic), "\(topic)")
        }
    }

    /// Topics of ESPHome and SensorThings in the broker's rules follow from the catalogue: `AQUA_WRITE=1 deploy/test --filter BrokerTopicTests`
    /// writes them.
    @Test func everyParameterHasATopicOfItsOwn() throws {
        let own = try #require(Device.HardwareID("OWN"))
        var rules = try file("acl")
        let families: [(Regex<Substring>, (Parameter) -> String)] = [
            (/(?:pattern write aqua\/v1\/%u\/sensor\/[a-z_]+\/state\n)+/, { "aqua/v1/%u/sensor/\($0.name)/state" }),
            (
                /(?:pattern write v1\.1\/Datastreams\('%u:[a-z_]+'\)\/Observations\n)+/,
                { DatastreamName(device: own, parameter: $0).topic.replacing("OWN", with: "%u") }
            ),
        ]
        for (pattern, topic) in families {
            let written = Parameter.allCases.map { "pattern write \(topic($0))\n" }.joined()
            let listed = try #require(rules.firstMatch(of: pattern)).output
            #expect(String(listed) == written || Self.writes)
            rules.replace(listed, with: written)
        }
        if Self.writes { try rules.write(to: url("acl"), atomically: true, encoding: .utf8) }
    }

    private static let writes = ProcessInfo.processInfo.environment["AQUA_WRITE"] != nil

    @Test func theBrokersRulesNameTheSameSubjects() throws {
        let script = try file("init")
        let list = try #require(script.firstMatch(of: /SUBJECTS = \(([^)]*)\)/)).output.1
        let subjects = list.matches(of: /"([^"]+)"/).map { "aqua/v1/+/\($0.output.1)" }
        let observations = try #require(script.firstMatch(of: /OBSERVATIONS = "([^"]+)"/)).output.1
        #expect(Set(subjects + [String(observations)]) == Set(Topic.subscriptions(isShared: false).map(\.filter)))
    }

    /// A receipt that matched a filter would come back to us.
    @Test(arguments: [
        "sensor/x/state", "sensor//state", "reef-pi/x", "reef-pi/", "tele/SENSOR", "tele/LWT", "zigbee2mqtt", "senml",
        "shelly/events/rpc", "shelly/status/switch:0", "shelly/status/", "shelly/online",
    ])
    func noReceiptGoesWhereIngestorsRead(_ subject: String) throws {
        let tank = try #require(Topic("aqua/v1/tank-1/readings"))
        #expect(Topic.subscriptions(isShared: false).contains { matches("aqua/v1/tank-1/\(subject)", $0.filter) })
        #expect(!tank.allowsReceipt(to: "aqua/v1/tank-1/\(subject)"))
        #expect(tank.allowsReceipt(to: "aqua/v1/tank-1/\(subject)/receipts/1"))
    }

    /// Matches a topic like a broker, without `#`.
    private func matches(_ topic: String, _ filter: String) -> Bool {
        let (levels, parts) = (
            topic.split(separator: "/", omittingEmptySubsequences: false), filter.split(separator: "/")
        )
        return levels.count == parts.count && zip(levels, parts).allSatisfy { $1 == "+" || $0 == $1 }
    }
}
