import Postgres
import ServiceKit

/// How long data are kept, and where.
struct StorageSettings: Sendable {
    /// As this tool's environment says; the Ingestor reads its own.
    var retention = RetentionSettings()
    /// The size of the file system with the data; a server tells its room to nobody but superusers.
    var disk: Int64?
}

/// Looks at what the database needs of its disk, and will need.
struct DiskChecks {
    let connection: PostgresConnection
    let settings: StorageSettings

    private static let topic = "disk"
    private static let samples = "samples"
    /// Days of room that are worth a warning.
    private static let patience = 30

    func run() async throws -> [Finding] {
        guard let row = try await connection.execute(MeasureDisk()).first else { return [] }
        return Self.judge(row, settings)
    }

    static func judge(_ row: MeasureDisk.Row, _ settings: StorageSettings) -> [Finding] {
        let retention = settings.retention
        let now = byteSizeText(Double(row.database))
        guard let perDay = row.samples.perDay else {
            return [
                .ok(topic, "the database has \(now); a day of samples has to be complete before its growth can be told")
            ]
        }
        let forecast = forecast(row, samplesPerDay: perDay, retention)
        let level = forecast.bytes(afterDays: DiskForecast.horizon)
        let findings: [Finding] = [
            .ok(
                topic,
                "the database has \(now) and grows by \(byteSizeText(forecast.bytesPerDay)) a day, \(byteSizeText(perDay)) of it samples"
            )
        ]
        guard let size = settings.disk else {
            return findings + [
                .notice(
                    topic,
                    "with samples kept for \(durationText(retention.samples)) it will need \(byteSizeText(level)) "
                        + "with its log; how much room there is the server does not tell",
                    mend: "Set AQUA_DISK_SIZE to the size of the file system that holds the database, such as 100GB.")
            ]
        }
        return findings + [room(forecast, level: level, size: Double(size))]
    }

    private static func room(_ forecast: DiskForecast, level: Double, size: Double) -> Finding {
        let disk = byteSizeText(size)
        guard let days = forecast.daysUntilFull(size) else {
            return .ok(topic, "it will need \(byteSizeText(level)) of \(disk) with its log, and that fits")
        }
        let kept = forecast.daysOfSamples(fitting: size, samples: samples)
        let mend =
            "Enlarge the disk to more than \(byteSizeText(level))"
            + (kept.map { ", or set AQUA_SAMPLE_RETENTION of the Ingestor to \($0)d" } ?? "") + "."
        let text = "\(disk) are full in \(days) days, for it will need \(byteSizeText(level)) with its log"
        return days > patience ? .notice(topic, text, mend: mend) : .wrong(topic, text, mend: mend)
    }

    /// An hour of a device in the roll-ups takes 269 bytes, and 137 each of the 120 messages that are usual in it: measured,
    /// for the time before there is a day of roll-ups.
    private static let hoursPerSamples = 269.0 / (120 * 137)

    private static func forecast(
        _ row: MeasureDisk.Row, samplesPerDay: Double, _ retention: RetentionSettings
    ) -> DiskForecast {
        func days(_ duration: Duration) -> Double { duration / .seconds(86_400) }
        let parts = [
            DiskForecast.Part(
                name: samples, bytes: Double(row.samples.bytes), bytesPerDay: samplesPerDay,
                daysKept: days(retention.samples) + 1),
            DiskForecast.Part(
                name: "hourly roll-ups", bytes: Double(row.hours.bytes),
                bytesPerDay: row.hours.perDay ?? samplesPerDay * hoursPerSamples, daysKept: days(retention.hours) + 31),
            DiskForecast.Part(
                name: "daily roll-ups", bytes: Double(row.days.bytes), bytesPerDay: row.days.perDay ?? 0),
            DiskForecast.Part(
                name: "alerts", bytes: Double(row.alerts.bytes), bytesPerDay: row.alerts.perDay ?? 0,
                daysKept: days(retention.alerts)),
        ]
        let measured = parts.reduce(0) { $0 + $1.bytes }
        return DiskForecast(parts: parts, rest: max(0, Double(row.database) - measured) + Double(row.log))
    }
}
