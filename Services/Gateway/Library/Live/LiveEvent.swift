import Instants
import Routes
import Store
import WaterQuality

/// An event that people see while it happens, in the form of server-sent events (WHATWG HTML §9.2).
///
/// Events state how things are, never what to add: one that comes twice changes nothing.
enum LiveEvent: Sendable {
    /// A device has sent a message.
    case reading(hardwareID: String, LiveSample)
    /// A device reported that it is online, or its will that it is not.
    case device(hardwareID: String, isOnline: Bool, at: Timestamp)
    /// A parameter has left the person's range.
    case opened(hardwareID: String, LiveDevice.Episode)
    /// A parameter is back in range, or the person has another range.
    case closed(hardwareID: String, Parameter)
    /// An episode of another kind has begun.
    case began(hardwareID: String, LiveDevice.Trouble)
    /// An episode of another kind is over.
    case ended(hardwareID: String, LiveDevice.Trouble.Subject)
    case alert(LiveAlert)
    /// Readings are not taken as they come since this time; `nil`: they are again.
    case intake(lateSince: Timestamp?)
    /// The stream has begun: events from here on are newer than anything read before them.
    case ready
    /// The person set up something elsewhere: read these parts again. Without parts, more has happened than events tell
    /// one by one: read everything again.
    case resync(Set<SetupPart> = [])

    var name: String {
        switch self {
        case .reading: "reading"
        case .device: "device"
        case .opened, .closed: "episode"
        case .began, .ended: "trouble"
        case .alert: "alert"
        case .intake: "intake"
        case .ready: "ready"
        case .resync: "resync"
        }
    }

    /// - Parameter position: The database's time up to which everything has been told, for `Last-Event-ID`.
    func encoded(_ position: Timestamp) -> [UInt8] {
        Array("event: \(name)\nid: \(position.microseconds)\ndata: ".utf8) + data.bytes + Array("\n\n".utf8)
    }

    private var data: JSON {
        switch self {
        case .reading(let hardwareID, let sample):
            var values: [JSON.Member] = []
            sample.readings.forEachPresent { values.append(.init($0.name, .number($1.shownDouble))) }
            return [
                "device": .string(hardwareID), "time": .string(sample.time.iso8601), "values": .object(values),
            ]
        case .device(let hardwareID, let isOnline, let time):
            return [
                "device": .string(hardwareID), "online": .bool(isOnline), "since": .string(time.iso8601),
            ]
        case .opened(let hardwareID, let episode):
            return [
                "device": .string(hardwareID), "kind": "range", "parameter": .string(episode.parameter.name),
                "state": "open", "side": .string(episode.side.rawValue), "since": .string(episode.openedAt.iso8601),
            ]
        case .closed(let hardwareID, let parameter):
            return [
                "device": .string(hardwareID), "kind": "range", "parameter": .string(parameter.name), "state": "closed",
            ]
        case .began(let hardwareID, let trouble):
            return .object(
                Self.members(hardwareID, trouble.subject) + [
                    .init("state", "open"), .init("since", .string(trouble.openedAt.iso8601)),
                ])
        case .ended(let hardwareID, let subject):
            return .object(Self.members(hardwareID, subject) + [.init("state", "closed")])
        case .alert(let alert): return Self.data(alert)
        case .intake(let lateSince): return ["lateSince": lateSince.map { .string($0.iso8601) } ?? .null]
        case .resync(let parts) where !parts.isEmpty && parts.count < SetupPart.allCases.count:
            return ["parts": .array(SetupPart.allCases.filter(parts.contains).map { .string($0.rawValue) })]
        case .ready, .resync: return [:]
        }
    }

    private static func members(_ hardwareID: String, _ subject: LiveDevice.Trouble.Subject) -> [JSON.Member] {
        [
            .init("device", .string(hardwareID)), .init("kind", .string(subject.kind.rawValue)),
            .init("parameter", subject.parameter.map { .string($0.name) } ?? .null),
        ]
    }

    private static func data(_ alert: LiveAlert) -> JSON {
        [
            "alert": .string(alert.name.text), "kind": .string(alert.kind.rawValue),
            "purpose": .string(alert.purpose.rawValue), "state": .string(alert.state.rawValue),
            "device": alert.hardwareID.map(JSON.string) ?? .null,
            "parameter": alert.parameter.map { .string($0.name) } ?? .null,
            "side": alert.side.map { .string($0.rawValue) } ?? .null,
            "value": alert.value.map { .number($0.shownDouble) } ?? .null,
            "limit": alert.limit.map { .number($0.shownDouble) } ?? .null,
            "time": .string(alert.eventTime.iso8601), "decidedAt": .string(alert.decidedAt.iso8601),
        ]
    }
}

extension Float {
    /// The value with the digits that a 32-bit float holds, not those of its nearest 64-bit neighbour: 23.4, not
    /// 23.399999618.
    var shownDouble: Double { Double(self).shown }
}

extension Double {
    /// Rounded to four decimals, which is more than any probe measures.
    var shown: Double { (self * 10_000).rounded() / 10_000 }
}
