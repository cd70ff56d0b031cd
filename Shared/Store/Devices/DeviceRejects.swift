package import Instants
package import Postgres
import WaterQuality

/// A device's messages that could not be read, or not in full, counted for one day, reason and subject.
package struct DeviceReject: Sendable {
    /// The day in UTC.
    package var day: String
    package var reason: String
    /// The part of the message that was rejected; empty for the message as a whole.
    package var subject: String
    package var messages: Int32
    package var firstAt: Timestamp
    package var lastAt: Timestamp
    package var topic: String
    package var detail: String
    /// The beginning of the last message; empty if it is unknown when that was sent.
    package var payload: [UInt8]

    static let columns = "day::text, reason, subject, messages, first_at, last_at, topic, detail, payload"
    static let order = "last_at DESC, reason, subject"

    init(_ row: inout RowReader) throws {
        day = try row.read()
        reason = try row.read()
        subject = try row.read()
        messages = try row.read()
        firstAt = try row.read()
        lastAt = try row.read()
        topic = try row.read()
        detail = try row.read()
        payload = try row.read()
    }
}

/// The rejects of a device that the transaction's person owns, the latest first; no rows if they do not own it.
package struct ListPersonRejects: Statement {
    package static let sql = """
        SELECT \(DeviceReject.columns) FROM person_reject WHERE slot = $1 AND device_id = $2
        ORDER BY \(DeviceReject.order)
        LIMIT $3
        """
    /// The most rows that are shown.
    package static let most = 100

    let device: DeviceKey
    package init(of device: DeviceKey) { self.device = device }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(Int64(Self.most))
    }

    package static func decode(_ row: inout RowReader) throws -> DeviceReject { try DeviceReject(&row) }
}

/// The rejects of any device, for operators.
package struct ListDeviceRejects: Statement {
    package static let sql = """
        SELECT \(DeviceReject.columns) FROM device_reject WHERE slot = $1 AND device_id = $2
        ORDER BY \(DeviceReject.order)
        LIMIT $3
        """

    let device: DeviceKey
    package init(of device: DeviceKey) { self.device = device }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(Int64(ListPersonRejects.most))
    }

    package static func decode(_ row: inout RowReader) throws -> DeviceReject { try DeviceReject(&row) }
}
