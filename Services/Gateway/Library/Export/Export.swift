import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// Writes one person's archive, page by page: memory never holds more than a page and the readings that wait for their
/// QARTOD codes, and no transaction lasts longer than a page.
struct Export {
    private let scope: Scope
    private let place: PersonPlaces.Place
    private let job: HeavyWork.Job
    let archive: ZipArchive
    let rows = 500
    private let lines = 5_000
    private let linesOfPart: Int
    private let bytesOfPart: Int

    init(_ scope: Scope, _ place: PersonPlaces.Place, _ job: HeavyWork.Job) {
        self.scope = scope
        self.place = place
        self.job = job
        linesOfPart = scope.services.settings.exportedLines
        bytesOfPart = scope.services.settings.exportedBytes
        archive = ZipArchive(unixSeconds: Int64(scope.services.clock.now().unixSeconds))
    }

    func write(to writer: inout any BodyWriter) async throws {
        let account = try await page { try $0.execute(ExportAccount($1)) }
        try await writer.write(archive.begin("account.json"))
        try await writer.write(archive.add(Array((account.first ?? "{}").utf8)))
        try await writer.write(archive.end())
        let devices = try await writeDevices(to: &writer)
        try await writeEpisodes(of: devices.map(\.key), to: &writer)
        try await writeList("alerts", to: &writer) { ExportAlerts(of: $0, after: $1, limit: $2) }
        try await writeList("reminders", limit: 20, to: &writer) { ExportReminders(of: $0, after: $1, limit: $2) }
        try await writeList("hand-tests", to: &writer) {
            ExportNotes<HandTestNote>(of: $0, after: $1, limit: $2)
        }
        try await writeList("calibrations", to: &writer) {
            ExportNotes<CalibrationNote>(of: $0, after: $1, limit: $2)
        }
        try await writeList("deletions", to: &writer) { ExportNotes<DeletionNote>(of: $0, after: $1, limit: $2) }
        try await writeList("approvals", to: &writer) { ExportNotes<ApprovalNote>(of: $0, after: $1, limit: $2) }
        for device in devices {
            try await writeReadings(of: device, to: &writer)
            try await writeHours(of: device, to: &writer)
            try await writePositions(of: device, to: &writer)
        }
        try await writeJournal(to: &writer)
        try await writeField(to: &writer)
        try await writePlans(to: &writer)
        try await writeZones(to: &writer)
        try await writeList("tank-answers", to: &writer) { ExportTankAnswers(of: $0, after: $1, limit: $2) }
        try await writeList("audit", to: &writer) { ExportAudit(of: $0, after: $1, limit: $2) }
        try await writer.write(archive.finish())
    }

    func page<Row: Sendable>(
        _ body: @Sendable (PostgresTransaction, Account.ID) throws -> [Row]
    ) async throws -> [Row] {
        try await job.turn { [scope] in try await scope.transaction(TransactionOptions(isReadOnly: true), body) }
    }

    private struct Device: Hashable {
        let key: DeviceKey
        let hardwareID: String
    }

    /// Writes one device a line, each with its settings, which are written as they are read.
    /// - Returns: Each device once.
    private func writeDevices(to writer: inout any BodyWriter) async throws -> [Device] {
        var devices: [Device] = []
        var page = try await readDevices(after: 0)
        var part = 1
        repeat {
            try await writer.write(archive.begin(Self.entry("devices", part, "json")))
            var separator = "[\n"
            var written = 0
            while !page.isEmpty, written < linesOfPart {
                let row = page.removeFirst()
                let device = Device(key: row.key, hardwareID: row.hardwareID)
                if !devices.contains(device) { devices.append(device) }
                try await writer.write(archive.add(Array((separator + row.json.dropLast()).utf8)))
                written += try await 1 + writeSettings(row.number, to: &writer)
                try await writer.write(archive.add(Array("}".utf8)))
                separator = ",\n"
                if page.isEmpty { page = try await readDevices(after: row.number) }
            }
            try await writer.write(archive.add(Array((written == 0 ? "[]\n" : "\n]\n").utf8)))
            try await writer.write(archive.end())
            part += 1
        } while !page.isEmpty
        return devices
    }

    private func readDevices(after number: Int64) async throws -> [ExportDevices.Row] {
        try await page { try $0.execute(ExportDevices(of: $1, after: number, limit: 50)) }
    }

    /// Writes the settings as a member of the device's object.
    /// - Returns: The number of versions.
    private func writeSettings(_ ownership: Int64, to writer: inout any BodyWriter) async throws -> Int {
        var count = 0
        var after: ExportSettings.Cursor?
        try await writer.write(archive.add(Array(#", "settings" : ["#.utf8)))
        while true {
            let page = try await next(after: &after) { ExportSettings(of: $0, ownership, after: $1, limit: $2) }
            let text = (count > 0 && !page.isEmpty ? ", " : "") + page.joined(separator: ", ")
            try await writer.write(archive.add(Array(text.utf8)))
            count += page.count
            guard page.count == rows else { break }
        }
        try await writer.write(archive.add(Array("]".utf8)))
        return count
    }

    private func writeEpisodes(of devices: [DeviceKey], to writer: inout any BodyWriter) async throws {
        var rest = devices[...]
        var after: ExportEpisodes.Cursor?
        try await writeList("episodes", to: &writer) {
            while let device = rest.first {
                let page = try await next(after: &after) { ExportEpisodes(of: device, $0, after: $1, limit: $2) }
                if !page.isEmpty { return page }
                (after, rest) = (nil, rest.dropFirst())
            }
            return []
        }
    }

    /// Writes JSON arrays, one element a line.
    /// - Parameter next: The next elements; none at the end.
    func writeList(
        _ name: String, to writer: inout any BodyWriter, _ next: () async throws -> [String]
    ) async throws {
        var elements = try await next()
        var part = 1
        repeat {
            try await writer.write(archive.begin(Self.entry(name, part, "json")))
            var separator = "[\n"
            var written = 0
            while !elements.isEmpty, written < linesOfPart, archive.openSize < bytesOfPart {
                try await writer.write(archive.add(Array((separator + elements.joined(separator: ",\n")).utf8)))
                separator = ",\n"
                written += elements.count
                elements = try await next()
            }
            try await writer.write(archive.add(Array((written == 0 ? "[]\n" : "\n]\n").utf8)))
            try await writer.write(archive.end())
            part += 1
        } while !elements.isEmpty
    }

    /// Writes each reading with the QARTOD codes of its values, once they are settled.
    private func writeReadings(of device: Device, to writer: inout any BodyWriter) async throws {
        var review = MessageReview<String>()
        var ready: [String] = []
        var after: Timestamp?
        var isRead = false
        try await writeTable("readings/\(device.hardwareID)", ExportReadings.columns, to: &writer) {
            while ready.count < lines, !isRead {
                let last = after
                let rows = try await page { [lines] transaction, _ in
                    try transaction.execute(ExportReadings(of: device.key, after: last, limit: lines))
                }
                for row in rows { review.add(row.line.text, row.readings, at: row.line.time) }
                after = rows.last?.line.time
                isRead = rows.count < lines
                let settled = isRead ? review.rest() : review.settled(before: after ?? .distantPast)
                ready += settled.map { $0.message + $0.cells }
            }
            defer { ready.removeFirst(min(lines, ready.count)) }
            return Array(ready.prefix(lines))
        }
    }

    private func writeHours(of device: Device, to writer: inout any BodyWriter) async throws {
        var after: Timestamp?
        try await writeTable("hours/\(device.hardwareID)", ExportHours.columns, to: &writer) {
            let last = after
            let rows = try await page { [lines] transaction, _ in
                try transaction.execute(ExportHours(of: device.key, after: last, limit: lines))
            }
            after = rows.last?.time
            return rows.map(\.text)
        }
    }

    /// Writes the positions of a device that has any.
    private func writePositions(of device: Device, to writer: inout any BodyWriter) async throws {
        var rows = try await positions(of: device, after: nil)
        guard !rows.isEmpty else { return }
        try await writeTable("positions/\(device.hardwareID)", ExportPositions.columns, to: &writer) {
            guard let last = rows.last else { return [] }
            let page = rows.map(\.text)
            rows = try await positions(of: device, after: last.time)
            return page
        }
    }

    private func positions(of device: Device, after: Timestamp?) async throws -> [ExportedLine] {
        try await page { [lines] transaction, _ in
            try transaction.execute(ExportPositions(of: device.key, after: after, limit: lines))
        }
    }

    /// Writes CSV (RFC 4180).
    /// - Parameter next: The next lines; none at the end.
    func writeTable(
        _ name: String, _ columns: [String], to writer: inout any BodyWriter, _ next: () async throws -> [String]
    ) async throws {
        var page = try await next()
        var part = 1
        repeat {
            try await writer.write(archive.begin(Self.entry(name, part, "csv")))
            try await writer.write(archive.add(Array((columns.joined(separator: ",") + "\r\n").utf8)))
            var written = 0
            while !page.isEmpty, written < linesOfPart, archive.openSize < bytesOfPart {
                try await writer.write(archive.add(Array(page.map { $0 + "\r\n" }.joined().utf8)))
                written += page.count
                page = try await next()
            }
            try await writer.write(archive.end())
            part += 1
        } while !page.isEmpty
    }

    /// The name of an entry; a list or table too long for one goes on in further parts.
    private static func entry(_ name: String, _ part: Int, _ type: String) -> String {
        part == 1 ? "\(name).\(type)" : "\(name)-\(part).\(type)"
    }
}
