import Postgres
import ServiceKit
import Store

/// Looks at the database's clock and at the roll-ups. Samples that are not rolled up are kept, however old they are.
struct UpkeepChecks {
    let connection: PostgresConnection
    /// From the environment; nil after a fault.
    let retention: RetentionSettings?

    /// In seconds. Roll-ups that keep up lag by 75 minutes at most.
    private static let patience = 3 * 3_600.0

    func run() async throws -> [Finding] {
        try await clock() + retained() + rollUps()
    }

    private func clock() async throws -> [Finding] {
        guard try await connection.execute(AskClock()).first == false else {
            return [.ok("upkeep", "the database's clock is trusted")]
        }
        return [
            .wrong(
                "upkeep",
                "the database's clock leapt, or no service noted it for five minutes: nothing is dropped or rolled up",
                mend:
                    "Set it right (timedatectl). If it is right, running services and the devices' own times confirm it within "
                    + "a minute, and where no device has a clock it takes as long as it was away; to believe it at once run: "
                    + "aqua migrate --trust-clock")
        ]
    }

    private func retained() async throws -> [Finding] {
        guard let retention, let kept = try await connection.execute(FindSampleRetention()).first,
            kept != retention.samples
        else { return [] }
        return [
            .notice(
                "upkeep",
                "samples are kept for \(durationText(kept)), and \(durationText(retention.samples)) is configured here",
                mend: "The database's word counts. To change it run aqua migrate with AQUA_SAMPLE_RETENTION set.")
        ]
    }

    private func rollUps() async throws -> [Finding] {
        guard let figures = try await connection.execute(MeasureUpkeep()).first else { return [] }
        let hours = Int(figures.lagSeconds / 3_600)
        guard figures.lagSeconds > Self.patience else { return [.ok("upkeep", "the roll-ups are up to date")] }
        return [
            .notice(
                "upkeep", "the roll-ups are \(hours) hours behind: samples are kept until they are in them",
                mend: "Is aqua-ingestor running? After an upgrade or a long stop it needs a while; look at "
                    + "aqua_ingestor_rollup_lag_seconds, and at its log if that does not fall.")
        ]
    }
}
