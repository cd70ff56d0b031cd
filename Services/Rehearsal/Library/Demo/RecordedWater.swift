import ArgumentParser
import Instants
import MQTTFleet
import Operator
import WaterQuality

/// Recorded water, for the three days before the demonstration begins.
///
/// The device publishes it like a backlog of its own: over MQTT, with the times of measurement moved so that the last
/// is `until`. Parameters that were not recorded are simulated, as they are afterwards. Publishing again for the same
/// `until` changes nothing, because a reading counts once.
struct RecordedWater: Sendable {
    let recording: Recording
    let until: Timestamp

    /// Age of the last recorded reading when the demonstration begins: recent enough to be news, so that the person is
    /// alerted of water that is out of range by then, and of nothing before.
    static let lead = Duration.seconds(10 * 60)
    /// Length of the recorded water. A device that has measured within this time gets none.
    static let length = Duration.seconds(72 * 3_600)

    private static let window = 500
    private static let columns = [("temp", Parameter.temperature), ("ph", .ph), ("do", .dissolvedOxygen)]

    /// - Parameter path: A recording in the form of `deploy/demo`.
    init(path: String, until: Timestamp) throws {
        self.until = until
        let mappings = Self.columns.flatMap { ["--map", "\($0)=\($1.name)"] }
        recording = try Recording(path: path, RecordingArguments.parse(mappings).options())
    }

    /// A message of the device, with its time and values.
    struct Measured: Hashable, Sendable {
        var time: Timestamp
        var values: [Parameter: Steps]
    }

    /// The readings to publish, oldest first.
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

    /// Publishes the water as the device.
    /// - Returns: The readings that were published.
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
