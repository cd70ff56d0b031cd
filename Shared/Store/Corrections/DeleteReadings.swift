package import Instants
package import Postgres
package import WaterQuality

/// Deletes readings of a device, or counts them: for the named person, or for an operator in the tank of its owner.
package struct DeleteReadings: Statement {
    package static let sql = "SELECT outcome, messages, readings FROM delete_readings($1, $2, $3, $4, $5, $6, $7)"

    let device: DeviceKey
    let period: Range<Timestamp>
    let parameters: ParameterSet
    let seen: Int?
    let reason: String?

    /// - Parameter seen: The number of readings that whoever deletes has seen; `nil` to count them.
    package init(
        device: DeviceKey, period: Range<Timestamp>, parameters: ParameterSet, seen: Int?, reason: String?
    ) {
        self.device = device
        self.period = period
        self.parameters = parameters
        self.seen = seen
        self.reason = reason
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(device, in: period)
        parameters.append(self.parameters)
        parameters.append(seen.map { Int32(clamping: $0) })
        parameters.append(reason)
    }

    package static func decode(_ row: inout RowReader) throws -> DeletedReadings { try DeletedReadings(&row) }
}
