import Instants
import Postgres
import Store

/// Writes into the ring of the last 10,000 rejects for the operator, overwriting the oldest. Rejects of known devices
/// are counted per device (`CountDeviceRejects`).
struct RecordRejects: Statement {
    static let sql = """
        WITH numbered AS (
            SELECT nextval('reject_number') AS number, received_at, topic, reason, detail, payload
            FROM unnest($1::timestamptz[], $2::text[], $3::text[], $4::text[], $5::bytea[])
                AS r (received_at, topic, reason, detail, payload)
        )
        INSERT INTO reject (position, reject_number, received_at, topic, reason, detail, payload)
        SELECT number % 10000, number, received_at, topic, reason, detail, payload FROM numbered
        ON CONFLICT (position) DO UPDATE SET
            reject_number = excluded.reject_number, received_at = excluded.received_at, topic = excluded.topic,
            reason = excluded.reason, detail = excluded.detail, payload = excluded.payload
        """

    /// A message, or a part of one, that could not be stored.
    struct Reject: Sendable {
        var receivedAt: Timestamp
        /// The device that sent the message; `nil` where no device has that name.
        var device: DeviceKey?
        var topic: String
        /// From a closed set, because it is also a metric's label.
        var reason: String
        /// The parameter at fault, or a name that is no parameter; empty for the message as a whole.
        var subject: String
        var detail: String
        /// The message; its beginning is kept.
        var payload: [UInt8]
        /// Messages of the device with this reason and subject; the other members describe the last one.
        var messages: Int32

        init(
            receivedAt: Timestamp, device: DeviceKey? = nil, topic: String, reason: String, subject: String = "",
            detail: String, payload: [UInt8], messages: Int32 = 1
        ) {
            self.receivedAt = receivedAt
            self.device = device
            self.topic = topic
            self.reason = reason
            self.subject = subject
            self.detail = detail
            self.payload = payload
            self.messages = messages
        }
    }

    /// The most rejects in one statement. With more, two rows could meet in one position of the ring.
    static let maximum = 1_000

    let rejects: [Reject]

    /// - Parameter rejects: At most `maximum`.
    init(_ rejects: [Reject]) {
        precondition(rejects.count <= Self.maximum, "the ring takes at most \(Self.maximum) rejects at once")
        self.rejects = rejects
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(rejects.map(\.receivedAt))
        parameters.append(rejects.map { storable($0.topic) })
        parameters.append(rejects.map(\.reason))
        parameters.append(rejects.map { storable($0.detail) })
        parameters.append(rejects.map { Array($0.payload.prefix(512)) })
    }

}

/// Text without NUL, which PostgreSQL's `text` cannot hold.
private func storable(_ text: String, longest: Int = .max) -> String {
    let text = text.utf8.contains(0) ? String(text.map { $0 == "\0" ? "\u{FFFD}" : $0 }) : text
    // Cut by Unicode scalars, as the database counts, not by grapheme clusters.
    return text.unicodeScalars.count <= longest
        ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(longest)))
}

/// Adds to the rejects of devices, by the day of the database's clock.
struct CountDeviceRejects: Statement {
    static let sql = """
        SELECT record_device_rejects(
            $1::smallint[], $2::integer[], $3::text[], $4::text[], $5::integer[], $6::text[], $7::text[], $8::bytea[])
        """

    let rejects: [(device: DeviceKey, reject: RecordRejects.Reject)]

    /// - Parameter rejects: Rejects without a device are passed over. Of several with one reason and subject the last
    ///   is kept, with the messages of all, because a statement can count each row only once.
    init(_ rejects: [RecordRejects.Reject]) {
        var counted: [Place: RecordRejects.Reject] = [:]
        var places: [Place] = []
        for reject in rejects {
            guard let device = reject.device else { continue }
            let place = Place(device: device, reason: reject.reason, subject: reject.subject)
            var next = reject
            if let former = counted[place] { next.messages += former.messages } else { places.append(place) }
            counted[place] = next
        }
        self.rejects = places.compactMap { place in counted[place].map { (place.device, $0) } }
    }

    private struct Place: Hashable {
        var device: DeviceKey
        var reason: String
        var subject: String
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(rejects.map(\.device))
        parameters.append(rejects.map(\.reject.reason))
        parameters.append(rejects.map { storable($0.reject.subject, longest: 64) })
        parameters.append(rejects.map(\.reject.messages))
        parameters.append(rejects.map { storable($0.reject.topic, longest: 200) })
        parameters.append(rejects.map { storable($0.reject.detail, longest: 400) })
        parameters.append(rejects.map { Array($0.reject.payload.prefix(256)) })
    }
}
