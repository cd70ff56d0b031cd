import ServiceKit
import Testing

@testable import Operator

@Suite struct DiskForecastTests {
    private static let giga = 1e9

    /// 10 GB of samples a day, kept for 90 days, 30 of which are there; 1 GB of everything else.
    private static let growing = DiskForecast(
        parts: [.init(name: "samples", bytes: 300 * giga, bytesPerDay: 10 * giga, daysKept: 90)], rest: giga)

    @Test func itGrowsUntilAsMuchGoesAsComes() {
        let forecast = Self.growing
        #expect(forecast.bytes == 301 * Self.giga)
        #expect(forecast.bytes(afterDays: 10) == 401 * Self.giga)
        #expect(forecast.bytes(afterDays: 60) == 901 * Self.giga)
        #expect(forecast.bytes(afterDays: 600) == 901 * Self.giga)
        #expect(forecast.bytesPerDay == 10 * Self.giga)
    }

    @Test func theDayOnWhichTheDiskIsFull() {
        #expect(Self.growing.daysUntilFull(901 * Self.giga) == nil)
        #expect(Self.growing.daysUntilFull(900 * Self.giga) == 59)
        #expect(Self.growing.daysUntilFull(305 * Self.giga) == 0)
        #expect(Self.growing.daysUntilFull(200 * Self.giga) == 0)
    }

    @Test func howLongSamplesCanBeKept() {
        #expect(Self.growing.daysOfSamples(fitting: 501 * Self.giga, samples: "samples") == 49)
        #expect(Self.growing.daysOfSamples(fitting: 50 * Self.giga, samples: "samples") == nil)
    }

    /// A part that is larger than it will be neither grows nor shrinks early.
    @Test func whatShrinksDoesNotGrow() {
        let shrinking = DiskForecast(
            parts: [.init(name: "samples", bytes: 300 * Self.giga, bytesPerDay: Self.giga, daysKept: 90)], rest: 0)
        #expect(shrinking.bytes(afterDays: 1_000) == 300 * Self.giga)
        #expect(shrinking.bytesPerDay == 0)
    }

    @Test func whatIsKeptForEverGrowsOn() {
        let days = DiskForecast(parts: [.init(name: "daily roll-ups", bytes: 0, bytesPerDay: Self.giga)], rest: 0)
        #expect(days.daysUntilFull(100 * Self.giga) == 100)
    }

    private static func row(samplesPerDay: Double?) -> MeasureDisk.Row {
        MeasureDisk.Row(
            database: Int64(40 * giga), log: Int64(giga),
            samples: .init(bytes: Int64(39 * giga), perDay: samplesPerDay),
            hours: .init(bytes: 0, perDay: nil), days: .init(bytes: 0, perDay: nil),
            alerts: .init(bytes: 0, perDay: nil))
    }

    @Test func whatTheDoctorSays() {
        let young = DiskChecks.judge(Self.row(samplesPerDay: nil), StorageSettings())
        #expect(young.map(\.status) == [.ok])
        #expect(young[0].finding.hasPrefix("the database has 40.0 GB; a day of samples has to be complete"))

        let growing = Self.row(samplesPerDay: Self.giga)
        let unknown = DiskChecks.judge(growing, StorageSettings())
        #expect(unknown.map(\.status) == [.ok, .notice])
        #expect(unknown[0].finding == "the database has 40.0 GB and grows by 1.02 GB a day, 1.00 GB of it samples")
        // 91 days of samples, 831 of hours, the rest and the log.
        #expect(unknown[1].finding.hasPrefix("with samples kept for 90d it will need 107 GB with its log"))

        func told(_ disk: Double) -> Finding {
            DiskChecks.judge(growing, StorageSettings(disk: Int64(disk * Self.giga)))[1]
        }
        #expect(told(200).finding == "it will need 107 GB of 200 GB with its log, and that fits")
        #expect(told(90).status == .notice)
        #expect(told(60).status == .wrong)
        #expect(told(60).finding == "60.0 GB are full in 18 days, for it will need 107 GB with its log")
        #expect(
            told(60).mend
                == "Enlarge the disk to more than 107 GB, or set AQUA_SAMPLE_RETENTION of the Ingestor to 43d.")
        #expect(told(12).mend == "Enlarge the disk to more than 107 GB.")
    }
}
