import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// The inputs that the routes of readings share.
enum ReadingInputs {
    static let device = Input<Device.HardwareID>.path(
        "device",
        .reading("device", example: "tank-1", count: 1...32, pattern: "^[A-Za-z0-9_-]{1,32}$") { text throws(Fault) in
            guard let device = Device.HardwareID(text) else { throw .pattern }
            return device
        }, "The device's id.")

    static let parameter = Input<Parameter>.path(
        "parameter",
        Format<Parameter.Name>.choice(Parameter.Name.self).map { (name: Parameter.Name) throws(Fault) -> Parameter in
            name.parameter
        }, "The parameter's name.")

    static let from = Input<Timestamp?>.optionalQuery(
        "from", .timestamp, "The beginning, included. Without it: twelve hours before the end.")
    static let until = Input<Timestamp?>.optionalQuery("until", .timestamp, "The end, not included. Without it: now.")

    /// The requested period.
    /// - Throws: `Problem` when it ends before it begins.
    static func period(_ inputs: Inputs, now: Timestamp) throws -> Range<Timestamp> {
        let end = inputs[until] ?? now + EventTime.furthestAhead
        let start = inputs[from] ?? min(end, now) - .seconds(12 * 3_600)
        guard start < end else { throw Problem(from, .periodEnds) }
        return start..<end
    }
}

extension Fault {
    static let periodEnds = Fault("period-empty")
}

/// The side of the range on which a value is, if any.
enum RangeState: String, CaseIterable, Sendable {
    case inRange, low, high
}

extension PostgresTransaction {
    /// The key of a device that the person has or had.
    /// - Throws: `Problem(.notFound)`, for an unknown device as for somebody else's.
    func device(_ hardwareID: Device.HardwareID) throws -> DeviceKey {
        guard let key = try execute(FindReadableDevice(hardwareID)).first else { throw Problem(.notFound) }
        return key
    }
}
