import Postgres
import Store

/// Looks whether the roll-ups keep up: what is not rolled up is kept, however old it is.
struct UpkeepChecks {
    let connection: PostgresConnection

    /// Seconds; roll-ups that keep up lag by 75 minutes at most.
    private static let patience = 3 * 3_600.0

    func run() async throws -> [Finding] {
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
