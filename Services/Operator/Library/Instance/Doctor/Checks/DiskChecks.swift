import Postgres
import ServiceKit

/// How long data are kept, and the size of the disk.
struct StorageSettings: Sendable {
    /// From the environment of this tool; the Ingestor reads its own.
    var retention = RetentionSettings()
    /// The size of the file system that holds the data, which the server does not tell to anybody but superusers.
    var disk: Int64?
}

/// Looks at the disk space that the database needs now and will need.
struct DiskChecks {
    let connection: PostgresConnection
    let settings: StorageSettings

    private static let topic = "disk"
    private static let samples = "samples"
    /// Days within which a full disk is a fault.
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

    /// Bytes of hourly roll-ups for each byte of samples, for as long as there is no day of roll-ups to measure.
    ///
    /// Measured: one hour of a device takes 269 bytes in the roll-ups; each of its usual 120 messages takes 137.
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
