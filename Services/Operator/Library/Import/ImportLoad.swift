import Instants
import Postgres
import Store
import WaterQuality

/// Reads files into the session's table of rows to import, some thousands at a time.
struct ImportLoad {
    /// Number and range of a parameter's values.
    struct Extent: Hashable {
        var values = 0
        var least = Float.infinity
        var greatest = -Float.infinity
    }

    private(set) var survey = Recording.Survey()
    private(set) var extents: [Parameter: Extent] = [:]
    /// Parameters with values.
    var parameters: ParameterSet { ParameterSet(extents.keys.map { ParameterSet($0) }) }
    /// Cells that report a broken probe.
    private(set) var brokenProbes = 0

    private let connection: PostgresConnection
    private let device: DeviceKey
    private let console: Console
    private var buffer = CopyBuffer(capacity: 1 << 20)
    private var progress = Progress()

    private static let rowsAtOnce = 10_000

    init(_ connection: PostgresConnection, of device: DeviceKey, _ console: Console) {
        self.connection = connection
        self.device = device
        self.console = console
    }

    mutating func perform(_ files: [String], _ options: RecordingOptions) async throws {
        try await connection.executeScript(ImportedRows.creation)
        var said = SaidRows()
        for path in files {
            let recording = try Recording(path: path, options)
            if let form = recording.form.description { console.complain("\(path) is read as: \(form).") }
            said = try await load(recording, behind: said)
        }
        try await flush()
        try await connection.executeScript(ImportedRows.completion)
    }

    private mutating func load(_ recording: Recording, behind said: SaidRows) async throws -> SaidRows {
        let report = { [console] (fault: RowFault) in console.complain("\(recording.path), \(fault)") }
        var survey = Recording.Survey()
        var rows = try recording.rows(behind: said)
        while let result = try rows.next() {
            survey.add(result, report)
            guard case .success(let row) = result, !row.isRepeated else { continue }
            let (readings, broken, faults) = row.readings
            brokenProbes += broken
            survey.badCells += faults.count
            faults.forEach(report)
            guard !readings.isEmpty else { continue }
            readings.forEachPresent { extents[$0, default: Extent()].add($1) }
            ImportedRows.append(readings, at: row.time, of: device, to: &buffer)
            if buffer.rowCount == Self.rowsAtOnce { try await flush() }
            progress.tell(console, "\(recording.path): \(survey.rows) rows read, up to \(row.time.iso8601).")
        }
        try survey.requireTimes(of: recording.form)
        self.survey = self.survey + survey
        return rows.takeSaid()
    }

    private mutating func flush() async throws {
        guard !buffer.isEmpty else { return }
        try await connection.copy(into: ImportedRows.self, rows: buffer)
        buffer.removeAll()
    }
}

extension ImportLoad.Extent {
    fileprivate mutating func add(_ value: Float) {
        values += 1
        least = min(least, value)
        greatest = max(greatest, value)
    }
}

extension RecordedRow {
    /// The row's values in canonical units, with those derived from them; the number of cells that report a broken
    /// probe; and faults for values that their unit cannot have.
    var readings: (readings: Readings, brokenProbes: Int, faults: [RowFault]) {
        var readings = Readings()
        var broken = 0
        var faults: [RowFault] = []
        for value in values {
            let unit = value.unit ?? value.parameter.canonicalUnit
            switch value.parameter.measured(Double(value.number) ?? .nan, in: unit) {
            case .value(let canonical): readings[value.parameter] = canonical
            case .brokenProbe: broken += 1
            case .beyondUnit:
                faults.append(
                    RowFault(
                        line: line,
                        reason: "\(value.parameter.name) has no value of \(value.number.shortened) \(unit.rawValue)"))
            }
        }
        readings.derive()
        return (readings, broken, faults)
    }
}

/// Reports progress every few seconds.
struct Progress {
    private static let pause = Duration.seconds(5)
    private var next = ContinuousClock.now + pause
    private var calls: UInt32 = 0

    mutating func tell(_ console: Console, _ text: @autoclosure () -> String) {
        // Reading the clock for each row would take longer than the row.
        calls &+= 1
        guard calls % 256 == 0 else { return }
        tellNow(console, text())
    }

    mutating func tellNow(_ console: Console, _ text: @autoclosure () -> String) {
        guard ContinuousClock.now >= next else { return }
        console.complain(text())
        next = .now + Self.pause
    }
}
