import Instants
import Store
import WaterQuality
import Words

/// The result of an import.
struct ImportReport: Report {
    struct Extent: Encodable {
        var parameter: String
        /// The canonical unit.
        var unit: String
        var values: Int
        var least: Float
        var greatest: Float
        fileprivate var texts: [String]

        private enum CodingKeys: CodingKey { case parameter, unit, values, least, greatest }
    }

    /// Counts of messages, hours or days, by what became of them.
    struct Stored: Encodable {
        var new: Int64
        var changed: Int64
        /// Stored before with the same values.
        var unchanged: Int64
        /// Stored before with other values, which stay.
        var different: Int64

        fileprivate init(_ outcome: ImportOutcome?) {
            new = outcome?.new ?? 0
            changed = outcome?.changed ?? 0
            unchanged = outcome?.same ?? 0
            different = outcome?.kept ?? 0
        }

        fileprivate var taken: Int64 { new + changed + unchanged }
        fileprivate var cells: [String] { [new, changed, unchanged, different].map { "\($0)" } }
    }

    var deviceId: String
    var isDryRun: Bool
    var rows: Int
    var empty: Int
    var repeated: Int
    var skipped: Int
    var skippedCells: Int
    /// Cells that report a broken probe.
    var brokenProbeCells: Int
    /// First and last time in the files, as they were read.
    var earliest: String
    var latest: String
    var parameters: [Extent]
    var messages: Stored
    var hours: Stored
    var days: Stored
    /// The times from which rows are kept as messages, and as hours.
    var messagesSince: String
    var hoursSince: String
    /// Refused rows.
    var tooEarly: Int
    var tooRecent: Int
    var owner: String?
    private var notes: [String]

    private enum CodingKeys: CodingKey {
        case deviceId, isDryRun, rows, empty, repeated, skipped, skippedCells, brokenProbeCells, earliest, latest
        case parameters, messages, hours, days, messagesSince, hoursSince, tooEarly, tooRecent, owner
    }

    init(_ device: Device.HardwareID, _ load: ImportLoad, _ result: Importer.Result, isRehearsal: Bool) {
        deviceId = device.text
        isDryRun = isRehearsal
        rows = load.survey.rows
        empty = load.survey.empty
        repeated = load.survey.repeated
        skipped = load.survey.faults
        skippedCells = load.survey.badCells
        brokenProbeCells = load.brokenProbes
        earliest = load.survey.earliest?.iso8601 ?? ""
        latest = load.survey.latest?.iso8601 ?? ""
        parameters = Parameter.allCases.compactMap { parameter in load.extents[parameter].map { Extent(parameter, $0) }
        }
        messages = Stored(result.outcomes[.messages])
        hours = Stored(result.outcomes[.hours])
        days = Stored(result.outcomes[.days])
        messagesSince = result.bounds.messagesSince.iso8601
        hoursSince = result.bounds.hoursSince.iso8601
        tooEarly = result.tooEarly
        tooRecent = result.tooRecent
        owner = result.bounds.owner
        notes = Self.notes(on: result, of: device, isRehearsal: isRehearsal)
    }

    /// Whether anything of the files is stored now, or was before.
    var taken: Int64 { messages.taken + hours.taken + days.taken }

    private static func notes(
        on result: Importer.Result, of device: Device.HardwareID, isRehearsal: Bool
    ) -> [String] {
        let bounds = result.bounds
        var notes: [String] = []
        if result.tooEarly > 0 {
            notes.append(
                bounds.ownedSince > Importer.epoch
                    ? "\(result.tooEarly) rows are refused: they are of before \(bounds.ownedSince.iso8601), from when on the device's owner sees it."
                    : "\(result.tooEarly) rows are refused: they are of before 1970.")
        }
        if result.tooRecent > 0 {
            notes.append(
                bounds.kind == .known(.site)
                    ? "\(result.tooRecent) rows are refused: they are of \(bounds.until.iso8601) or later, an hour that is not over."
                    : "\(result.tooRecent) rows are refused: from \(bounds.until.iso8601) on the device itself sends. "
                        + "Import the file again when they are older than 8 days.")
        }
        if result.outcomes.values.contains(where: { $0.kept > 0 }) {
            notes.append("Where something else is stored it stays; --replace replaces what was not decided here.")
        }
        notes.append(
            bounds.owner.map { "\($0) sees all of it." }
                ?? (bounds.ownedSince > Importer.epoch
                    ? "Nobody owns \(device) now, and somebody did: its next owner sees what is measured after the link."
                    : "Nobody owns \(device) yet: who links it first sees all of it."))
        if isRehearsal { notes.append("This was a dry run: nothing is stored.") }
        return notes
    }

    var text: String {
        var values = TextTable(["PARAMETER", "VALUES", "LEAST", "GREATEST"])
        for parameter in parameters { values.add([parameter.parameter, "\(parameter.values)"] + parameter.texts) }
        var kept = TextTable(["KEPT AS", "NEW", "CHANGED", "UNCHANGED", "DIFFERENT"])
        kept.add(["messages, from \(messagesSince)"] + messages.cells)
        kept.add(["hours, from \(hoursSince)"] + hours.cells)
        kept.add(["days"] + days.cells)
        let summary =
            "\(rows) rows from \(earliest) to \(latest): \(empty) without values, \(repeated) repeated, \(skipped) skipped, "
            + "\(skippedCells) cells skipped, \(brokenProbeCells) cells of broken probes."
        return ([summary, "", values.text, "", kept.text, ""] + notes).joined(separator: "\n")
    }
}

extension ImportReport.Extent {
    fileprivate init(_ parameter: Parameter, _ extent: ImportLoad.Extent) {
        self.parameter = parameter.name
        unit = parameter.canonicalUnit.rawValue
        values = extent.values
        least = extent.least
        greatest = extent.greatest
        texts = [least, greatest].map { parameter.text($0, in: parameter.canonicalUnit, .en) }
    }
}
