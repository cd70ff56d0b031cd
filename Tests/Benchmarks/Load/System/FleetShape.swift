import ArgumentParser
import BrokerControl
import Foundation
import Glibc
import MQTT
import TestSupport

/// How a fleet is connected to the broker.
enum FleetShape: String, CaseIterable, ExpressibleByArgument, Encodable, Sendable {
    /// As in production: a TLS connection and a user for each reporting device.
    case tls
    /// One user for all devices over 16 connections without TLS: the least work for a broker. This shape allows more
    /// devices than one machine could hold connections for, and comparisons with older figures.
    case plain

    struct Bounds: Sendable {
        /// The most messages of a connection that may wait for their PUBACK.
        var inFlight: Int
        /// The number of messages of one connection that leave together.
        var burst: Int
    }

    var bounds: Bounds {
        switch self {
        case .tls: Bounds(inFlight: 100, burst: 1)
        case .plain: Bounds(inFlight: 1_000, burst: 8)
        }
    }

    static let plainConnections = 16
}

/// A fleet with users at the broker.
struct ConnectedFleet: Sendable {
    /// The holder of one connection.
    struct Member: Sendable {
        var clientID: String
        var user: String
        /// The devices for which it publishes.
        var devices: [Int]
    }

    let shape: FleetShape
    let members: [Member]
    private let password: String
    private let broker: TestBroker
    private let tls: TLSContext?

    /// Creates the users.
    /// - Parameters:
    ///   - devices: The number of devices.
    ///   - connections: The number of reporting devices, if each has a connection of its own.
    ///   - name: The user that publishes for all devices in the plain shape.
    static func prepare(
        _ shape: FleetShape, devices: Int, connections: Int, name: String, _ broker: TestBroker
    ) async throws -> ConnectedFleet {
        let password = UUID().uuidString
        switch shape {
        case .plain:
            try await broker.addPublisher(name, password: password)
            let members = (0..<FleetShape.plainConnections).map { number in
                Member(
                    clientID: "\(name)-\(number)", user: name,
                    devices: Array(stride(from: number, to: devices, by: FleetShape.plainConnections)))
            }
            return ConnectedFleet(shape: shape, members: members, password: password, broker: broker, tls: nil)
        case .tls:
            let members = (0..<min(devices, connections)).map {
                Member(clientID: Fleet.hardwareID($0), user: Fleet.hardwareID($0), devices: [$0])
            }
            try raiseDescriptorLimit(to: members.count + 1_000)
            try await addUsers(members, password, broker)
            return ConnectedFleet(
                shape: shape, members: members, password: password, broker: broker,
                tls: try TLSContext(authorityFile: broker.authorityFile))
        }
    }

    private static func addUsers(_ members: [Member], _ password: String, _ broker: TestBroker) async throws {
        let configuration = MQTTConfiguration(
            endpoint: try MQTTEndpoint(url: broker.url), clientID: "bench-admin",
            credentials: MQTTCredentials(user: TestBroker.admin, password: try broker.password(TestBroker.admin)),
            timeout: .seconds(60))
        try await DynamicSecurity.with(configuration) { security in
            _ = try await security.ensureClients(members.map { (user: $0.user, password: password) })
        }
    }

    private static func raiseDescriptorLimit(to wanted: Int) throws {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        guard limit.rlim_cur < wanted else { return }
        limit.rlim_cur = min(rlim_t(wanted), limit.rlim_max)
        guard limit.rlim_cur >= wanted, setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            throw TestSupportError("\(wanted) open files are needed and not permitted here: ulimit -n")
        }
    }

    func connect(_ member: Member) throws -> BrokerSocket {
        try BrokerSocket(
            port: tls == nil ? broker.port : broker.tlsPort, clientID: member.clientID, user: member.user,
            password: password, tls: tls)
    }
}
