import Foundation
import TestSupport

/// A probe that a person has linked by its claim code.
struct Tank: Sendable {
    /// The device id of a test's only tank.
    static let main = "tank-1"

    let device: String
    private let system: TestSystem
    private let password: String

    init(_ system: TestSystem, _ device: String = main, linkedBy person: PeopleClient) async throws {
        self.system = system
        self.device = device
        let added = try await system.tool(["device", "add", device, "--json"])
        password = try system.field("mqttPassword", of: added)
        try await person.succeed(
            "POST", "/devices",
            json: #"{"claimCode":"\#(try system.field("claimCode", of: added))","name":"Big tank"}"#)
    }

    func publish(_ temperature: Double) async throws { try await publish([temperature]) }

    /// Publishes readings taken now, a millisecond apart.
    func publish(_ temperatures: [Double]) async throws {
        let now = Date().timeIntervalSince1970
        let payloads = temperatures.enumerated().map { number, temperature in
            #"{"time":\#(now + Double(number) / 1000),"temperature":\#(temperature)}"#
        }
        try await system.cluster.broker.publish(
            payloads, as: device, password: password, to: "aqua/v1/\(device)/readings")
    }

    /// Publishes a value to a Datastream of SensorThings.
    func publish(_ temperature: Double, toDatastream id: String) async throws {
        try await system.cluster.broker.publish(
            [#"{"result":\#(temperature)}"#], as: device, password: password,
            to: "v1.1/Datastreams('\(id)')/Observations")
    }

    /// Shares the tank with a second person, who watches it.
    func share(by owner: PeopleClient, with watcher: PeopleClient) async throws {
        let made = try await owner.succeed("POST", "/devices/\(device)/invitations")
        try await watcher.succeed("POST", "/invitations/accept", json: #"{"token":"\#(try made.member("token"))"}"#)
    }
}
