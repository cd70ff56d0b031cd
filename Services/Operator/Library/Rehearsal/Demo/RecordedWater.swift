import Instants
import MQTTFleet
import WaterQuality

/// Water that was recorded, in the three days before the demonstration begins.
///
/// The device publishes it like its own back-log: over MQTT, with the times at which it was measured, moved so that the
/// last is `until`. What nobody recorded is simulated, as it is afterwards. Published again for the same `until` it
/// changes nothing, because a reading counts once.
struct RecordedWater: Sendable {
    let recording: Recording
    let until: Timestamp

    /// So long before the demonstration begins its last reading was measured: within what is news, so that the person
    /// has alerts of the water that is out of range by then, and of none before.
    static let lead = Duration.seconds(10 * 60)
    /// Water that was measured since then is enough, and nothing is recorded beside it.
    static let length = Duration.seconds(72 * 3_600)

    private static let window = 500
    private static let columns = [("temp", Parameter.temperature), ("ph", .ph), ("do", .dissolvedOxygen)]

    /// - Parameter path: A recording in the form of `deploy/demo`.
    init(path: String, until: Timestamp) throws {
        self.until = until
        recording = try Recording(
            path: path,
            RecordingOptions(mappings: try Self.columns.map { try ColumnMapping("\($0.0)=\($0.1.name)") }))
    }

    /// A message of the device, and what it tells.
    struct Measured: Hashable, Sendable {
        var time: Timestamp
        var values: [Parameter: Steps]
    }

    /// What was measured, oldest first.
    /// - Throws: `OperatorError` for a row that cannot be read: a demonstration has none.
    func measured() throws -> [Measured] {
        var rows: [RecordedRow] = []
        let survey = try recording.survey { _ in }
        guard survey.faults == 0, survey.badCells == 0, let earliest = survey.earliest, let latest = survey.latest
        else {
            throw OperatorError(.invalidInput, "\(recording.path) is no recording of the demonstration's water.")
        }
        var all = try recording.rows()
        while let row = try all.next() { rows.append(try row.get()) }
        let timeline = try Timeline(earliest: earliest, latest: latest, now: until, speed: 1)
        var water = SimulatedWater(seed: 1, index: 0)
        var last = earliest
        return rows.map { row in
            water.advance(by: max(.zero, row.time - last))
            last = row.time
            var values = Dictionary(uniqueKeysWithValues: water.measure().map { ($0.parameter, $0.value) })
            for value in row.values { values[value.parameter] = Float(value.number).map(value.parameter.steps(of:)) }
            return Measured(time: timeline.replayed(row.time), values: values)
        }
    }

    /// Publishes it as the device.
    /// - Returns: What was published.
    func publish(as device: Device.HardwareID, _ access: DeviceAccess) async throws -> [Measured] {
        let measured = try measured()
        do {
            try await MQTTFleet.with { fleet in
                let client = try await fleet.add(access.configuration(of: device), window: Self.window)
                for (index, message) in measured.enumerated() {
                    let values = Parameter.allCases.compactMap { parameter in
                        message.values[parameter].map { (parameter: parameter, value: $0) }
                    }
                    try await fleet.enqueue(
                        SimulatedMessage.readings(values, at: message.time, device: device), as: client)
                    if index % Self.window == Self.window - 1 { try await fleet.drain(client) }
                }
                try await fleet.drain(client)
            }
        } catch {
            throw access.explained(error, device: device)
        }
        return measured
    }
}
