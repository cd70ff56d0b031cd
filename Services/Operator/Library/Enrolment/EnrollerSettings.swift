import FoundationEssentials
import MQTT
import Secrets
import ServiceKit
import Store

/// The settings of the enroller, read before anything is done.
struct EnrollerSettings: Sendable {
    /// For whom devices are enrolled.
    enum Allowed: String, Sendable {
        case projects
        /// People too, for themselves.
        case people
    }

    let database: DatabaseSettings
    let brokers: [MQTTConfiguration]
    let listener: DeviceListener
    let http: DeviceOrigin?
    /// The certificates of the broker's authority, as PEM.
    let authority: String?
    let keys: DeviceKeys
    let secretKeys: SecretKeys
    let allowed: Allowed
    /// The most devices of anybody in a day.
    let mostADay: Int

    private static let longestAuthority = 16_384

    init?(_ reader: ConfigurationReader) {
        database = reader.database()
        brokers = MQTTConfiguration.all(reader.broker())
        http = reader.deviceOrigin()
        allowed = reader.optional(.enrolment, parse: Allowed.init(rawValue:)) ?? .projects
        mostADay =
            reader.optional(.enrolmentADay) { Int($0).flatMap { (1...100_000).contains($0) ? $0 : nil } }
            ?? Enrolment.most
        let text = reader.optionalFile(.mqttCAFile).flatMap { FileManager.default.contents(atPath: $0) }
        authority = text.flatMap { $0.count <= Self.longestAuthority ? String(validating: $0, as: UTF8.self) : nil }
        let (listener, keys, secretKeys) = (reader.deviceListener(), reader.deviceKeys(), reader.secretKeys())
        guard let listener, let keys, let secretKeys else { return nil }
        self.listener = listener
        self.keys = keys
        self.secretKeys = secretKeys
    }
}
