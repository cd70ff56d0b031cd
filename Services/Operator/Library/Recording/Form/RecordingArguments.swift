import ArgumentParser

extension DecimalMark: ExpressibleByArgument {}
extension TextEncoding: ExpressibleByArgument {}
extension ClockChanges.Choice: ExpressibleByArgument {}

/// Options for how a recording is written, and which columns it has.
package struct RecordingArguments: ParsableArguments {
    /// The paragraph about recordings in the help of each verb that reads them.
    package static let discussion = """
        The file: separator (comma, semicolon, tab), decimal commas, lines before the header and the encoding (UTF-8, UTF-16,
        Windows-1252) are found out, and so is a time in two columns, one of dates and one of times of day. The header is the
        first line with all columns that are named. An option says what cannot be found out. Lines that begin with # are
        comments; the line of widths in files of the USGS is passed over.

        Times: without --time-format these are read: ISO 8601 (2019-01-01 00:15, with or without an offset), Unix seconds,
        and those of spreadsheets and loggers (7/2/2021 0:15, 07/02/21 12:15:00 AM, 2.7.2021 0:15). Whether the day or the
        month comes first in dates with slashes the dates of the file have to tell. A format has %Y %y %m %d %H %I %p %M %S
        %f %z %%. Times without an offset are of --zone, else of the one in the name of their column (GMT-06:00), else of
        UTC; those of the USGS are of the zone in tz_cd. An hour that a zone's clocks showed twice is told by the order of
        rows that run through it twice; rows of which that does not tell, and times that no clock showed, are skipped
        unless --clock-change says how clocks went: as before the change (first) or as afterwards (second).

        Cells that are empty, NULL, NA, N/A or NaN are absent, and so are those that --missing names. Invalid rows and cells
        are reported by line, skipped and counted. Of several rows of one time the first counts: the others are counted as
        repeated where they say the same, and skipped where they do not.
        """

    @Option(
        name: .customLong("map"), parsing: .singleValue,
        help: ArgumentHelp("Which column is which parameter; repeatable.", valueName: "COLUMN=PARAMETER[:UNIT]"),
        transform: { try parsed($0) { try ColumnMapping($0) } })
    var mappings: [ColumnMapping]

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "The column of times, or twice: those of dates and of times of day (default: those with a usual name).",
            valueName: "COLUMN"))
    var time: [String] = []

    @Option(
        help: ArgumentHelp(
            "How times are written, such as '%d/%m/%Y %H:%M'; two columns are joined by a blank.", valueName: "FORMAT"),
        transform: { try parsed($0) { try TimeFormat($0) } })
    var timeFormat: TimeFormat?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The zone of times without an offset: Europe/Madrid, -06:00, UTC.", valueName: "ZONE"),
        transform: Zone.init(argument:))
    var zone: Zone?

    @Option(help: "In an hour that clocks showed twice or not at all, where the rows do not tell.")
    var clockChange: ClockChanges.Choice?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A cell that means \"not measured\", such as -9999; repeatable.", valueName: "TEXT"))
    var missing: [String] = []

    @Option(
        help: ArgumentHelp("comma, semicolon, tab or another character.", valueName: "SEPARATOR"),
        transform: parsedSeparator)
    var separator: UInt8?

    @Option(help: "What stands before the fraction of a number.")
    var decimal: DecimalMark?

    @Option(help: ArgumentHelp("How many lines come before the header.", valueName: "LINES"))
    var skip: Int?

    @Option(help: "How the file's characters are written.")
    var encoding: TextEncoding?

    package init() {}

    package func validate() throws {
        if mappings.isEmpty { throw ValidationError("Name at least one column with --map COLUMN=PARAMETER.") }
        if time.count > 2 {
            throw ValidationError("--time names one column, or that of dates and that of times of day.")
        }
        if let skip, skip < 0 { throw ValidationError("--skip is a number of lines.") }
    }

    /// The statements about a file that the arguments make.
    package func options() -> RecordingOptions {
        RecordingOptions(
            mappings: mappings, timeColumns: time, format: timeFormat, zone: zone, missing: MissingMarkers(missing),
            encoding: encoding, separator: separator, decimal: decimal, skippedLines: skip, clockChange: clockChange)
    }
}

/// Passes a parser's own description of a fault on to the user.
private func parsed<Value>(_ text: String, _ parse: (String) throws -> Value) throws -> Value {
    do { return try parse(text) } catch { throw ValidationError("\"\(text)\": \(error).") }
}

private func parsedSeparator(_ text: String) throws -> UInt8 {
    switch text {
    case "comma": return UInt8(ascii: ",")
    case "semicolon": return UInt8(ascii: ";")
    case "tab": return UInt8(ascii: "\t")
    default:
        guard text.utf8.count == 1, let byte = text.utf8.first, !"\"#\r\n".utf8.contains(byte),
            Character(text).isPunctuation || Character(text).isSymbol || byte == UInt8(ascii: "\t")
        else { throw ValidationError("\"\(text)\" is no separator; write comma, semicolon, tab or another sign.") }
        return byte
    }
}
