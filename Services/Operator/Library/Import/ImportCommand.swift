import ArgumentParser
import Instants
import Postgres
import Store
import WaterQuality

/// `aqua import`
struct ImportCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Takes past data (CSV) of a device under their own dates: for people who come with years of files.",
        discussion: """
            What is imported is drawn and rolled up as if it had been measured here, and never decided: nobody is told of it, and
            nothing is learnt from it. As long as the retention keeps messages, each row becomes one; what is older becomes hours,
            and what is older than hours are kept becomes days. The report says how much became what.

            Whose it is: rows of the time in which nobody owned the device before its first owner are that owner's, also when they
            link it after the import. Where somebody else had the device before, rows of before the present owner's link are refused. So are
            those of the last 8 days, which the device itself sends: import the file again when they are older.

            The same file may be imported again, as after an interruption: what is stored stays as it is, and is counted. Values
            that differ from stored ones are counted and left out; with --replace they take their place, but for those that were
            decided here. Give all files of a device at once, and all of their columns: an hour or a day whose halves come with two
            imports is not put together, and what is computed, such as free ammonia, is computed from the values of one row.

            Try it with --dry-run first: least and greatest values show a wrong unit, first and last time a wrong zone. There is no
            way back but a backup.

            \(RecordingArguments.discussion)

            Example:  aqua import 2019.csv 2020.csv --device pond-1 --map Temp=temperature:F --map pH=ph --zone Europe/Madrid --dry-run
            """)

    @Argument(help: "CSV files with the same header.", completion: .file())
    var files: [String]

    @Option(help: "The id of the device or the site that the data are of.")
    var device: DeviceArgument

    @OptionGroup var recording: RecordingArguments

    @Flag(help: "Let values take the place of other ones that are stored.")
    var replace = false

    @Flag(help: "Say what would be stored, and store nothing.")
    var dryRun = false

    @OptionGroup var output: OutputOptions

    /// - Throws: `ExitCode(1)` when there was nothing to store, after the report.
    func run(in context: OperatorContext) async throws {
        let report = try await context.withDatabase { connection in
            let bounds = try await connection.importBounds(of: device.id)
            var load = ImportLoad(connection, of: bounds.device, context.console)
            try await load.perform(files, recording.options())
            let importer = Importer(
                connection: connection, bounds: bounds, parameters: load.parameters, isReplacing: replace,
                isRehearsal: dryRun, console: context.console)
            return ImportReport(device.id, load, try await importer.perform(), isRehearsal: dryRun)
        }
        try context.console.show(report, output)
        if report.taken == 0 { throw ExitCode.failure }
    }
}

extension PostgresConnection {
    /// The bounds of an import for a device, by the database's clock.
    /// - Throws: `notFound`; `conflict` while the clock is not trusted.
    fileprivate func importBounds(of hardwareID: Device.HardwareID) async throws -> FindImportBounds.Row {
        guard let bounds = try await execute(FindImportBounds(hardwareID)).first else {
            throw OperatorError(
                .notFound, "There is no device \(hardwareID). Add it first: aqua device add \(hardwareID)")
        }
        guard bounds.kind != .known(.site) || bounds.owner != nil else {
            throw OperatorError(
                .conflict, "Nobody has the site \(hardwareID) any more, so that nobody would see the data.")
        }
        guard bounds.isClockTrusted else {
            throw OperatorError(
                .conflict,
                "The database's clock is not trusted now, so that it is not known what is past. See aqua doctor.")
        }
        // Bounds how long Ingestors can wait for this session.
        try await executeScript("SET statement_timeout = '60s'; SET lock_timeout = '3s'")
        return bounds
    }
}
