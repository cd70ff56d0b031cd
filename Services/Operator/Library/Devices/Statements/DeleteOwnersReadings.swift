import Instants
import Postgres
import Store
import WaterQuality

/// Deletes readings of a device for an operator, in the tank of its owner, or counts them.
struct DeleteOwnersReadings: Statement {
    static let sql = "SELECT \(DeletedReadings.columns) FROM delete_readings($1, $2, NULL, $3, $4, $5, $6, $7)"

    let device: DeviceKey
    let period: Range<Timestamp>
    let parameters: ParameterSet
    /// How many readings were counted; `nil` to count them.
    let seen: Int?
    let reason: String?

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(period.lowerBound)
        parameters.append(period.upperBound)
        parameters.append(self.parameters)
        parameters.append(seen.map { Int32(clamping: $0) })
        parameters.append(reason)
    }

    static func decode(_ row: inout RowReader) throws -> DeletedReadings { try DeletedReadings(&row) }
}
