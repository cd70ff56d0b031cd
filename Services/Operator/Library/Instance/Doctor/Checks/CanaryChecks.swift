import Instants
import Postgres
import ServiceKit
import Store

/// Looks whether the canary's alarms arrive, and if not, how far its readings come. Whether the broker takes its key, `BrokerChecks` tries.
struct CanaryChecks {
    let connection: PostgresConnection

    private static let topic = "canary"

    func run() async throws -> [Finding] { [Self.judge(try await connection.execute(FindCanary()).first)] }

    static func judge(_ canary: FindCanary.Row?) -> Finding {
        guard let canary else {
            return .notice(
                topic, "there is none: nobody outside would notice that no alert arrives any more",
                mend: "Run: aqua canary create --webhook URL; deploy/OPERATING.md, \"The canary\".")
        }
        if !canary.isLinked {
            return .wrong(
                topic, "\(canary.hardwareID) is linked to it no more", mend: "Run: aqua canary create --webhook URL")
        }
        if !canary.hasEndpoint {
            return .wrong(
                topic, "it has no endpoint: its receiver is gone, or it was removed",
                mend: "Run: aqua canary create --webhook URL")
        }
        let patience = patience(of: canary)
        if let deliveredAt = canary.deliveredAt, (.zero...patience).contains(canary.now - deliveredAt) {
            return .ok(topic, "its last alarm arrived at \(deliveredAt.iso8601)")
        }
        guard canary.now - canary.madeAt > patience || canary.deliveredAt != nil else {
            return .notice(
                topic, "it was set up at \(canary.madeAt.iso8601), and no alarm has come through yet",
                mend: "Start its publisher: docker compose --profile canary up --detach")
        }
        return late(canary, since: canary.deliveredAt ?? canary.madeAt)
    }

    private static func late(_ canary: FindCanary.Row, since: Timestamp) -> Finding {
        let isHeard = canary.heardAt.map { canary.now - $0 <= canary.every } ?? false
        return .wrong(
            topic,
            "no alarm of it has arrived since \(since.iso8601); "
                + (isHeard ? "its readings are stored" : "its readings do not come either"),
            mend: isHeard
                ? "Do the findings under flow name a service that is away? Otherwise run: aqua why \(CanaryProvision.email) \(canary.hardwareID) temperature"
                : "Does its publisher run? Its log says what the broker answers: docker compose --profile canary logs canary"
        )
    }

    /// Two turns and ten minutes, as in the alert rule AquaCanaryLate.
    private static func patience(of canary: FindCanary.Row) -> Duration { canary.every * 2 + .seconds(600) }
}
