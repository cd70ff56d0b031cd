import ArgumentParser
import Instants
import Operator
import ServiceKit
import WaterQuality

/// `aqua-rehearsal replay`
struct Replay: OperatorCommand {
    static let configuration = CommandConfiguration(
        abstract: "Publishes a recorded series (CSV) as a device, its last row being now.",
        discussion: """
            The device must exist (aqua device add). Rows keep their order; duplicates and gaps stay; nothing is interpolated.
            The spacing is divided by --speed, and the series ends now: 15-minute rows with --speed 30 lie 30 s apart. No row
            may lie more than 7 days back. Everything is sent at once, as fast as the broker acknowledges.

            "inf" is sent as a device with a broken probe sends it. Repeated rows are sent as well; the Ingestor stores them once.

            \(RecordingArguments.discussion)

            Example:  aqua-rehearsal replay pond.csv --device pond-1 --time DateTimeStamp --map Temp=temperature --speed 30
            """)

    @Argument(help: "A CSV file with a header.", completion: .file())
    var file: String

    @Option(help: "The id of the device to publish as.")
    var device: DeviceArgument

    @OptionGroup var recording: RecordingArguments

    @Option(help: "What the spacing of the rows is divided by.")
    var speed = SpeedArgument(1)

    @OptionGroup var output: OutputOptions

    func run(in context: OperatorContext) async throws {
        try await run(in: context, until: await stopSignal())
    }

    /// - Throws: `ExitCode(1)` when nothing was published, after the summary.
    func run(in context: OperatorContext, until stop: @escaping Stop) async throws {
        let access = try await DeviceAccess.of([device.id], in: context)
        let recording = try Recording(path: file, recording.options())
        if let form = recording.form.description { context.console.complain("\(file) is read as: \(form).") }
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
}

/// The result of a replay.
struct ReplayReport: Report {
    var rows: Int
    var published: Int
    var acknowledged: Int
    /// Rows with a time and nothing measured.
    var empty: Int
    /// Published rows that repeat the time and values of an earlier row.
    var repeated: Int
    /// Invalid rows.
    var skipped: Int
    /// Invalid cells of valid rows.
    var skippedCells: Int
    /// First and last time in the file, as they were read.
    var earliest: String
    var latest: String
    var stopped: Bool

    private enum CodingKeys: String, CodingKey {
        case rows, published, acknowledged, empty, repeated, skipped, skippedCells, earliest, latest, stopped
    }

    init(_ survey: Recording.Survey, _ tally: ReplayPublisher.Tally) {
        rows = survey.rows
        published = tally.published
        acknowledged = tally.acknowledged
        empty = survey.empty
        repeated = survey.repeated
        skipped = survey.faults
        skippedCells = survey.badCells
        earliest = survey.earliest?.iso8601 ?? ""
        latest = survey.latest?.iso8601 ?? ""
        stopped = tally.wasStopped
    }

    var text: String {
        let summary =
            "\(rows) rows from \(earliest) to \(latest): \(published) published, \(acknowledged) acknowledged, "
            + "\(empty) without values, \(repeated) repeated, \(skipped) skipped, \(skippedCells) cells skipped."
        return stopped ? "\(summary) Stopped before the end." : summary
    }
}
