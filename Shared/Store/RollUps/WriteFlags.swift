package import Instants
package import Postgres
package import WaterQuality

/// The flags of a device's day: for each of its hours, and for the whole day.
package struct DayFlags: Sendable {
    /// The flags of an hour or a day, by parameter.
    package struct Found: Sendable {
        package var start: Timestamp
        package var flags: [Parameter: FlaggedValues] = [:]
    }

    package private(set) var hours: [Found]
    package private(set) var day: Found

    package init(of start: Timestamp) {
        hours = (0..<24).map { Found(start: start + RollUpSchedule.hour * $0) }
        day = Found(start: start)
    }

    /// Adds a parameter's flags by hours of the day.
    package mutating func take(_ found: [Int: FlaggedValues], of parameter: Parameter) {
        for (hour, flags) in found {
            hours[hour].flags[parameter] = flags
            day.flags[parameter, default: .notEvaluated].add(flags)
        }
    }

    /// Records that some parameters of an hour are not tested; ignores an hour of another day.
    package mutating func skip(_ hour: Timestamp, _ parameters: UInt32) {
        guard let index = hours.firstIndex(where: { $0.start == hour }) else { return }
        for parameter in ParameterSet(mask: parameters).parameters {
            hours[index].flags[parameter] = .notEvaluated
            day.flags[parameter] = .notEvaluated
        }
    }
}

/// Stores the flags of some parameters in the hours of a device. Rows with the same flags stay untouched, and flags are
/// kept where nothing is tested now.
package struct WriteHourFlags: Statement {
    package static let sql = FlagsSource.update("sample_hour")
    let source: FlagsSource

    /// - Parameter parameters: The tested parameters. All others stay as they are.
    package init(_ flags: DayFlags, of device: DeviceKey, _ parameters: ParameterSet) {
        source = FlagsSource(device: device, day: flags.day.start, found: flags.hours, parameters: parameters)
    }

    package func bind(_ parameters: inout Parameters) { source.bind(&parameters) }
}

/// Stores the flags of some parameters in a day of a device.
package struct WriteDayFlags: Statement {
    package static let sql = FlagsSource.update("sample_day")
    let source: FlagsSource

    package init(_ flags: DayFlags, of device: DeviceKey, _ parameters: ParameterSet) {
        source = FlagsSource(device: device, day: flags.day.start, found: [flags.day], parameters: parameters)
    }

    package func bind(_ parameters: inout Parameters) { source.bind(&parameters) }
}

struct FlagsSource: Sendable {
    let device: DeviceKey
    let day: Timestamp
    let found: [DayFlags.Found]
    let parameters: ParameterSet

    static func update(_ table: String) -> String {
        let columns = SampleColumns.each { "\($0)_flagged" }
        let arrays = Parameter.allCases.indices.map { "$\($0 + 6)::integer[]" }.joined(separator: ", ")
        let values = Parameter.allCases
            .map { parameter in
                let (known, found) = ("r.\(parameter.name)_flagged", "f.\(parameter.name)_flagged")
                return "CASE WHEN $4::integer & \(parameter.bit) <> 0 AND (\(found) = 0 AND \(known) > 0) IS NOT TRUE "
                    + "THEN \(found) ELSE \(known) END"
            }
            .joined(separator: ", ")
        return """
            UPDATE \(table) r SET (\(columns)) = ROW (\(values))
            FROM unnest($3::timestamptz[], \(arrays)) AS f (starts_at, \(columns))
            WHERE r.slot = $1::smallint AND r.device_id = $2::integer AND r.starts_at = f.starts_at
                -- so that only the partition of the day is opened
                AND r.starts_at >= $5::timestamptz AND r.starts_at < $5::timestamptz + interval '24 hours'
                AND (\(SampleColumns.each { "r.\($0)_flagged" })) IS DISTINCT FROM (\(values))
            """
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(found.map(\.start))
        parameters.append(self.parameters)
        parameters.append(day)
        for parameter in Parameter.allCases { parameters.append(found.map { $0.flags[parameter] }) }
    }
}
