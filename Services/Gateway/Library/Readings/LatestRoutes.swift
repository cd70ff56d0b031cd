import HTTPTypes
import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// Routes of the last values.
enum LatestRoutes {
    static let all = [ofAll, ofDevice].forProjects()

    private struct Latest: Sendable {
        var row: LatestReadings.Row

        /// The scale of the person's unit; the canonical one where that unit has no such value.
        var scale: UnitScale { row.parameter.scale(chosen: row.unit, telling: Double(row.value)) }
        var age: Duration { max(.zero, row.now - row.time) }

        func limit(_ steps: Int32?) -> Double? {
            steps.map {
                PersonalRange(parameter: row.parameter, unit: scale.unit, minimum: nil, maximum: nil).shown(Steps($0))
            }
        }
    }

    private static let latest = Output<Latest>.object(
        "LatestReading", "The last value of one parameter of a device.",
        [
            .member("device", .text, "The device's id.", example: "tank-1") { $0.row.hardwareID },
            .member("parameter", .text, "The parameter's name.", example: "temperature") { $0.row.parameter.name },
            .member("time", .timestamp, "When it was measured.") { $0.row.time },
            .member("value", .decimal, "The value in the person's unit.", example: 74.1) {
                $0.scale.fromCanonical(Double($0.row.value))?.shown ?? .nan
            },
            .member("unit", .text, "The person's unit; the canonical one where it has no such value.", example: "F") {
                $0.scale.unit.rawValue
            },
            .member("canonicalValue", .decimal, "The value in the parameter's canonical unit.", example: 23.4) {
                $0.row.value.shownDouble
            },
            .member("canonicalUnit", .text, "The parameter's canonical unit.", example: "C") {
                $0.row.parameter.canonicalUnit.rawValue
            },
            .member(
                "minimum", .optional(of: .decimal), "The person's minimum that holds now, in their unit.", example: 53.6
            ) {
                $0.limit($0.row.minimum)
            },
            .member(
                "maximum", .optional(of: .decimal), "The person's maximum that holds now, in their unit.", example: 75.2
            ) {
                $0.limit($0.row.maximum)
            },
            .member("state", .choice(RangeState.self), "Whether an episode is open, and on which side.") {
                $0.row.side.map { $0 == .low ? .low : .high } ?? .inRange
            },
            .member("since", .optional(of: .timestamp), "When that episode began.") { $0.row.openedAt },
            .member("age", .integer, "Seconds since it was measured.", example: 12) { Int($0.age.components.seconds) },
            .member("stale", .boolean, "Whether it is so old that it tells little about the water now.") {
                $0.age > .seconds(15 * 60)
            },
        ])

    private static let gap = """
        What a device measures for the first time in a week, and then not in its next 500 messages, may be missing for \
        an hour and a quarter.
        """

    private static let ofAll = Route<Caller>(
        .get, "/readings/latest", id: "showLatestReadings", tag: "Readings", access: .read,
        "Show the last values of all devices",
        text: """
            The last value of each parameter within seven days, in the order of the person's screen. \(gap)
            """,
        answers: .json(.ok, .list(of: latest)), handle: { caller, _ in .value(try await find(caller, nil)) })

    private static let ofDevice = Route<Caller>(
        .get, "/devices/{device}/readings/latest", id: "showLatestReadingsOfDevice", tag: "Readings", access: .read,
        "Show the last values of a device", text: "The last value of each parameter within seven days. \(gap)",
        inputs: [ReadingInputs.device], answers: .json(.ok, .list(of: latest)),
        handle: { caller, inputs in .value(try await find(caller, inputs[ReadingInputs.device])) })

    private static func find(_ caller: Caller, _ device: Device.HardwareID?) async throws -> [Latest] {
        try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
            let rows = try transaction.execute(LatestReadings(of: device))
            // Either the device has sent nothing lately, or it is not there for this person, which throws.
            if rows.isEmpty, let device { _ = try transaction.device(device) }
            return rows.map(Latest.init)
        }
    }
}
