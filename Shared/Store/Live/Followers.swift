import Instants
package import Postgres
package import WaterQuality

/// A set of slots, one bit each.
package struct SlotSet: Hashable, Sendable {
    package private(set) var bits: UInt64

    package init(_ slots: some Sequence<Slot> = EmptyCollection<Slot>()) {
        bits = slots.reduce(0) { $0 | Self.bit($1) }
    }

    package init(stored: Int64) { bits = UInt64(bitPattern: stored) }

    package var isEmpty: Bool { bits == 0 }
    package func contains(_ slot: Slot) -> Bool { bits & Self.bit(slot) != 0 }
    package func isSubset(of other: SlotSet) -> Bool { bits & ~other.bits == 0 }

    private static func bit(_ slot: Slot) -> UInt64 { 1 << UInt64(slot.rawValue) }
}

/// Registers for a while the slots that a Gateway follows, and removes Gateways whose registration has expired.
package struct FollowSlots: Statement {
    package static let sql = "SELECT follow_slots($1, $2, $3 * interval '1 us')"

    let follower: UInt128
    let slots: SlotSet
    let lasting: Duration

    package init(_ follower: UInt128, _ slots: SlotSet, lasting: Duration) {
        self.follower = follower
        self.slots = slots
        self.lasting = lasting
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(follower)
        parameters.append(Int64(bitPattern: slots.bits))
        parameters.append(lasting.wholeMicroseconds)
    }
}

/// Removes a Gateway's registration.
package struct Unfollow: Statement {
    package static let sql = "SELECT unfollow_slots($1)"
    let follower: UInt128
    package init(_ follower: UInt128) { self.follower = follower }
    package func bind(_ parameters: inout Parameters) { parameters.append(follower) }
}

/// Finds the slots that Gateways follow now.
package struct FindFollowedSlots: Statement {
    package static let sql = "SELECT bit_or(slots) FROM live_follower WHERE expires_at > now()"
    package init() {}
    package static func decode(_ row: inout RowReader) throws -> SlotSet {
        SlotSet(stored: try row.read(Int64?.self) ?? 0)
    }
}

/// Notifies Gateways, at commit, of the devices that have sent something.
package struct NotifyReadings: Statement {
    package static let sql = "SELECT pg_notify('reading', payload) FROM unnest($1::text[]) AS payload"

    let payloads: [String]
    package init(_ notice: ReadingNotice) { payloads = notice.payloads }
    package func bind(_ parameters: inout Parameters) { parameters.append(payloads) }
}

/// The devices whose data a commit stored, as the payload of the channel `reading`: only numbers, no values and no
/// persons, because every role may listen.
package struct ReadingNotice: Equatable, Sendable {
    /// The devices; `nil` if there were too many to name.
    package let devices: [Device.ID]?

    /// The longest payload: PostgreSQL's notifications have less than 8,000 bytes.
    private static let mostBytes = 7_900
    private static let mostDevices = 8_000

    /// - Parameter devices: The devices, each once.
    package init(_ devices: [Device.ID]) {
        self.devices = devices.count <= Self.mostDevices ? devices : nil
    }

    /// All devices.
    package static let all = ReadingNotice(payload: "*")

    /// - Parameter payload: A payload of the channel. Anything but numbers stands for all devices.
    package init(payload: String) {
        var devices: [Device.ID] = []
        for part in payload.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            guard let number = Int32(Substring(part)) else {
                self.devices = nil
                return
            }
            devices.append(Device.ID(rawValue: number))
        }
        self.devices = devices
    }

    var payloads: [String] {
        guard let devices else { return ["*"] }
        var payloads: [String] = []
        var payload = ""
        for device in devices {
            let number = String(device.rawValue)
            if payload.utf8.count + number.utf8.count >= Self.mostBytes {
                payloads.append(payload)
                payload = ""
            }
            payload += payload.isEmpty ? number : ",\(number)"
        }
        if !payload.isEmpty { payloads.append(payload) }
        return payloads
    }
}
