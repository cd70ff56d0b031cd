import Instants
import Routes
import Store
import WaterQuality

/// How an alert is named in an address: by its UID, or as it was before alerts had one.
enum AlertReference: Hashable, Sendable {
    case uid(Alert.UID)
    case numbered(AlertKey)

    init?(_ text: String) {
        if let uid = Alert.UID(text) {
            self = .uid(uid)
            return
        }
        let parts = text.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 2,
            parts.allSatisfy({ $0.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) }),
            let slot = Int16(parts[0]).flatMap(Slot.init(rawValue:)), let number = Int64(parts[1])
        else { return nil }
        self = .numbered(AlertKey(slot: slot, alert: Alert.ID(rawValue: number)))
    }
}

/// The place of an alert in the list, as clients carry it.
struct AlertCursor: CursorKey {
    let place: PageAlerts.Place

    init(_ alert: StoredAlert) {
        place = PageAlerts.Place(
            decidedAt: alert.decidedAt, slot: alert.key.slot.rawValue, alert: alert.key.alert.rawValue)
    }

    var cursorParts: [JSON] {
        [.integer(place.decidedAt.microseconds), .integer(Int64(place.slot)), .integer(place.alert)]
    }

    init?(cursorParts parts: [JSON]) {
        guard parts.count == 3, case .integer(let time) = parts[0], case .integer(let slot) = parts[1],
            case .integer(let alert) = parts[2], let slot = Int16(exactly: slot), Timestamp.sayable.contains(time)
        else { return nil }
        place = PageAlerts.Place(decidedAt: Timestamp(microseconds: time), slot: slot, alert: alert)
    }
}

/// The inputs of the routes of alerts.
enum AlertInputs {
    static let listID = "listAlerts"

    static let alert = Input<AlertReference>.path(
        "alert",
        .reading("alert", example: Alert.exampleID, count: 3...36, pattern: "^[0-9A-Fa-f_-]+$") {
            text throws(Fault) in
            guard let reference = AlertReference(text) else { throw .pattern }
            return reference
        }, "The alert's id.")

    static let device = Input<Device.HardwareID?>.optionalQuery("device", .hardwareID, "Only those of this device.")
    static let parameter = Input<Parameter?>.optionalQuery(
        "parameter",
        Format<Parameter.Name>.choice(Parameter.Name.self).map { (name: Parameter.Name) throws(Fault) -> Parameter in
            name.parameter
        }, "Only those of this parameter.")
    static let state = Input<Alert.State?>.optionalQuery(
        "state", .choice(Alert.State.self), "Only those that got this far.")
    static let kind = Input<Alert.Kind?>.optionalQuery("kind", .choice(Alert.Kind.self), "Only those of this kind.")
    static let since = Input<Timestamp?>.optionalQuery(
        "since", .timestamp, "Only those that were decided at this time or later.")
    static let until = Input<Timestamp?>.optionalQuery(
        "until", .timestamp, "Only those that were decided before this time.")
    static let limit = Input<Int>.limit(1...200, default: 50)
    static let cursor = Input<AlertCursor?>.cursor(of: listID, AlertCursor.self)
}
