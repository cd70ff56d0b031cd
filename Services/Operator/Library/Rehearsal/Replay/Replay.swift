import ArgumentParser
import Instants
import ServiceKit
import WaterQuality

/// `aqua replay`
struct Replay: OperatorCommand {
    static let configuration = CommandConfiguration(
        abstract: "Publishes a recorded series (CSV) as a device, its last row being now.",
        discussion: """
            The device must exist (aqua device add). Rows keep their order; duplicates and gaps stay; nothing is interpolated.
            The spacing is divided by --speed, and the series ends now: 15-minute rows with --speed 30 lie 30 s apart. No row
            may lie more than 7 days back. Everything is sent at once, as fast as the broker acknowledges.

            Times: without --time-format these are read: ISO 8601 (2019-01-01 00:15, with or without an offset), Unix seconds,
            and the month-first form of spreadsheets (7/2/2021 0:15). For day-first dates: --time-format '%d/%m/%Y %H:%M'.
            A format has %Y %y %m %d %H %I %p %M %S %f %z %%. Times without an offset are of --zone.

            Cells that are empty, NULL, NA, N/A or NaN are absent, and so are those that --missing names. Invalid rows and cells
            are reported by line, skipped and counted; "inf" is sent as a device with a broken probe sends it. Lines that begin with # are comments.

            Example:  aqua replay pond.csv --device pond-1 --time DateTimeStamp --map Temp=temperature --map Sal=salinity --speed 30
            """)

    @Argument(help: "A CSV file with a header (RFC 4180).", completion: .file())
    var file: String

    @Option(help: "The id of the device to publish as.")
    var device: DeviceArgument

    @Option(
        name: .customLong("map"), parsing: .singleValue,
        help: ArgumentHelp("Which column is which parameter; repeatable.", valueName: "COLUMN=PARAMETER[:UNIT]"),
        transform: { try parsed($0) { try ColumnMapping($0) } })
    var mappings: [ColumnMapping]

    @Option(
        help: ArgumentHelp(
            "The column of times (default: the one called time, timestamp, datetime or date).", valueName: "COLUMN"))
    var time: String?

    @Option(
        help: ArgumentHelp("How times are written, such as '%d/%m/%Y %H:%M'.", valueName: "FORMAT"),
        transform: { try parsed($0) { try TimeFormat($0) } })
    var timeFormat: TimeFormat?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The zone of times without an offset: Europe/Madrid, -06:00, UTC.", valueName: "ZONE"),
        transform: parsedZone)
    var zone = Zone.utc

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A cell that means \"not measured\", such as -9999; repeatable.", valueName: "TEXT"))
    var missing: [String] = []

    @Option(help: "What the spacing of the rows is divided by.")
    var speed = SpeedArgument(1)

    @OptionGroup var output: OutputOptions

    func run(in context: OperatorContext) async throws {
        try await run(in: context, until: await stopSignal())
    }

    /// - Throws: `ExitCode(1)` when nothing was published, after the summary.
    func run(in context: OperatorContext, until stop: @escaping Stop) async throws {
        let access = try await DeviceAccess.of([device.id], in: context)
        let recording = try Recording(
            path: file, timeColumn: time, mappings: mappings, times: TimeReading(format: timeFormat, zone: zone),
            missing: MissingMarkers(missing))
        let survey = try recording.survey { context.console.complain("\(file), \($0)") }
        var tally = ReplayPublisher.Tally()
        if let earliest = survey.earliest, let latest = survey.latest, survey.published > 0 {
            let timeline = try Timeline(
                earliest: earliest, latest: latest, now: context.clock.now(),
                speed: speed.factor)
            let publisher = ReplayPublisher(
                recording: recording, device: device.id, timeline: timeline, access: access)
            tally = try await publisher.run(until: stop)
        }
        try context.console.show(ReplayReport(survey, tally), output)
        if tally.published == 0 { throw ExitCode.failure }
    }

    func validate() throws {
        if mappings.isEmpty { throw ValidationError("Name at least one column with --map COLUMN=PARAMETER.") }
    }
}

/// Passes a parser's own description of a fault on to the user.
private func parsed<Value>(_ text: String, _ parse: (String) throws -> Value) throws -> Value {
    do { return try parse(text) } catch { throw ValidationError("\"\(text)\": \(error).") }
}

private func parsedZone(_ text: String) throws -> Zone {
    guard let zone = Zone(text) else {
        throw ValidationError(
            "\"\(text)\" is no zone; write a place such as Europe/Madrid, an offset such as -06:00, or UTC.")
    }
    return zone
}

/// The result of a replay.
struct ReplayReport: Report {
    var rows: Int
    var published: Int
    var acknowledged: Int
    /// Rows with a time and nothing measured.
    var empty: Int
    /// Invalid rows.
    var skipped: Int
    /// Invalid cells of valid rows.
    var skippedCells: Int
    /// The first and the last time of the file, as they were read.
    var earliest: String
    var latest: String
    var stopped: Bool

    private enum CodingKeys: String, CodingKey {
        case rows, published, acknowledged, empty, skipped, skippedCells, earliest, latest, stopped
    }

    init(_ survey: Recording.Survey, _ tally: ReplayPublisher.Tally) {
        rows = survey.rows
        published = tally.published
        acknowledged = tally.acknowledged
        empty = survey.empty
        skipped = survey.faults
        skippedCells = survey.badCells
        earliest = survey.earliest?.iso8601 ?? ""
        latest = survey.latest?.iso8601 ?? ""
        stopped = tally.wasStopped
    }

    var text: String {
        let summary =
            "\(rows) rows from \(earliest) to \(latest): \(published) published, \(acknowledged) acknowledged, "
            + "\(empty) without values, \(skipped) skipped, \(skippedCells) cells skipped."
        return stopped ? "\(summary) Stopped before the end." : summary
    }
}
