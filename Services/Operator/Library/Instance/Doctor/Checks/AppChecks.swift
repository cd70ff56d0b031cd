import Postgres
import Store
import WaterQuality

/// Looks whether alerts can reach apps; where there are none, there is nothing to say.
struct AppChecks {
    let connection: PostgresConnection

    private static let topic = "apps"
    /// Notifiers announce the apps every minute.
    private static let patience = 300.0

    func run() async throws -> [Finding] {
        let offered = try await connection.execute(ReadAppChannels())
        let registered = try await connection.execute(CountApps())
        return offered.map(Self.finding(on:))
            + registered.compactMap { row in
                offered.contains { $0.channel == row.channel } ? nil : Self.orphaned(row)
            }
    }

    private static func finding(on row: ReadAppChannels.Row) -> Finding {
        let name = "\(row.app) (\(row.channel.rawValue))"
        guard row.age > patience else { return .ok(topic, "\(name) may register") }
        return .notice(
            topic, "no notifier has announced \(name) for \(Int(row.age / 60)) minutes",
            mend: "Start aqua-notifier, unless it is meant to be stopped. When it runs, look at its log.")
    }

    private static func orphaned(_ row: CountApps.Row) -> Finding {
        .wrong(
            topic, "registered with \(row.channel.rawValue), to which no notifier can send: \(row.count)",
            mend: "Give the notifier AQUA_APNS_KEY_FILE or AQUA_FCM_KEY_FILE again, with what belongs to it.")
    }
}
