import Foundation
import Messaging
import NIOCore
import TestSupport
import WaterQuality

/// A service that alerts are sent to, as the benchmark stands in for it: what people's endpoints are there, and what it makes of a
/// message. It checks nothing, so that it costs the system's processors as little as it can; `TestSupport` has the strict ones.
protocol PushStandIn: Sendable {
    /// The endpoints in the report, in the plural.
    var words: String { get }
    /// Whether everybody's endpoint is on one and the same host.
    var isOneHost: Bool { get }
    var receiver: StandInReceiver { get }

    /// The variables by which a Notifier sends there.
    /// - Parameters:
    ///   - origin: The receiver's first host.
    ///   - directory: Where files may be written that the variables name.
    func settings(at origin: String, in directory: URL) throws -> [String: String]

    /// The options of `BenchNotifier`, where no variable of the Notifier's leads to the receiver; empty for the product's own program.
    func options(at origin: String) -> [String]

    /// Makes the endpoints of a system's people.
    func endpoints(in system: TestSystem) throws -> any StandInEndpoints
}

extension PushStandIn {
    var isOneHost: Bool { false }
    func settings(at origin: String, in directory: URL) throws -> [String: String] { [:] }
    func options(at origin: String) -> [String] { [] }
}

extension PushStandIn where Self: StandInEndpoints {
    func endpoints(in system: TestSystem) throws -> any StandInEndpoints { self }
}

/// The endpoints at a stand-in.
protocol StandInEndpoints: Sendable {
    /// - Parameters:
    ///   - device: The fleet's number of the device, whose owner's endpoint it is.
    ///   - origin: Its host.
    func endpoint(of device: Int, at origin: String) throws -> StandInEndpoint
}

/// What is stored of an endpoint, before it is sealed.
struct StandInEndpoint: Sendable {
    var target: String
    var secret: [UInt8]
    var fingerprint: [UInt8]?
    var vapidKey: String?
}

extension StandInEndpoint {
    /// An endpoint at a messaging service, stored as a Gateway stores it.
    init(on channel: Endpoint.Channel, _ values: ServiceValues) throws {
        guard let service = MessagingServices[channel: channel] else {
            throw TestSupportError("\(channel.rawValue) is no messaging service")
        }
        target = try service.registered(values).identity
        secret = try values.stored()
    }
}

/// How messages reach a stand-in.
enum StandInReceiver: Sendable {
    /// By requests over HTTP/2.
    case web(@Sendable (HTTP2Server.Request) -> StandInReceipt)
    /// By SMTP, one recipient a mail. The closure returns the device whose owner has the mailbox.
    case mail(@Sendable (_ recipient: Substring) -> Int?)
}

/// What a stand-in makes of a request.
struct StandInReceipt: Sendable {
    /// The alert in it, if it is one.
    var arrival: Arrival?
    var answer: WebhookSink.Answer

    static let notFound = StandInReceipt(answer: .status(404))
}

/// The subject of a message that has arrived.
struct Arrival: Hashable, Sendable {
    enum Purpose: Hashable, Sendable { case alarm, recovery, other }

    var breach: Breach
    var purpose: Purpose

    init(breach: Breach, purpose: Purpose) {
        self.breach = breach
        self.purpose = purpose
    }

    /// An alert whose message does not tell what it is about in a form that is cheap to read. Its address tells whose it is, and in
    /// a storm each device has one breach, of its temperature.
    init(alarmOf device: Int) { self.init(breach: Breach(device: device, parameter: .temperature), purpose: .alarm) }

    /// An alert whose message tells in JSON what it is about.
    /// - Parameters:
    ///   - key: The member that tells an alarm from a recovery.
    ///   - prefix: What stands before the two words there.
    init(of device: Int, in body: ByteBuffer, key: String, prefix: String = "") {
        let parameter = body.text(of: "parameter").flatMap(Parameter.init(name:)) ?? .temperature
        let purpose: Purpose =
            switch body.text(of: key) {
            case "\(prefix)alarm": .alarm
            case "\(prefix)recovery": .recovery
            default: .other
            }
        self.init(breach: Breach(device: device, parameter: parameter), purpose: purpose)
    }
}
