import Instants
import MQTT
import WaterQuality

@testable import Ingestor
@testable import Store

/// Short forms of what tests often say.
extension Readings {
    init(_ values: [Parameter: Float]) {
        self.init()
        for (parameter, value) in values { self[parameter] = value }
    }
}

extension MQTTMessage {
    /// A message on a topic of a device.
    static func of(
        _ device: String, _ payload: String, subject: String = "readings", isRedelivery: Bool = false,
        retain: Bool = false, responseTopic: String? = nil, correlationData: [UInt8]? = nil
    ) -> MQTTMessage {
        MQTTMessage(
            topic: "aqua/v1/\(device)/\(subject)", payload: Array(payload.utf8), retain: retain,
            isRedelivery: isRedelivery, responseTopic: responseTopic, correlationData: correlationData)
    }
}

extension MQTTMessage {
    /// A message of the device `tank-1`.
    static func of(
        _ payload: String, subject: String = "readings", isRedelivery: Bool = false, retain: Bool = false,
        responseTopic: String? = nil, correlationData: [UInt8]? = nil
    ) -> MQTTMessage {
        .of(
            "tank-1", payload, subject: subject, isRedelivery: isRedelivery, retain: retain,
            responseTopic: responseTopic, correlationData: correlationData)
    }
}

extension Timestamp {
    /// Noon of the day in which many tests play.
    static let noon = Timestamp("2026-05-01T12:00:00Z") ?? Timestamp(microseconds: 0)
}

extension ReadingsPayload {
    /// - Throws: The errors of the initializer for bytes.
    init(text: String) throws(RejectReason) {
        try self.init(Array(text.utf8))
    }

    var reasons: [RejectReason] { faults.map(\.reason) }
}

extension DeviceRegistry {
    /// A registry that knows these devices, numbered from 1.
    init(knowing names: [String], moving: Bool = false, now: Timestamp = .noon) throws {
        self.init()
        let rows = names.enumerated().compactMap { number, name in
            Device.HardwareID(name).map {
                FindDevices.Row(
                    hardwareID: name, slot: Slot(of: $0), device: Device.ID(rawValue: Int32(number + 1)),
                    moves: moving)
            }
        }
        record(found: rows, now: now)
    }
}
