import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// The newest answers about a tank.
struct StoredAnswers: Sendable {
    /// 0 while nothing has been answered.
    var version: Int32 = 0
    var at: Timestamp?
    /// The author; `nil`: nobody yet, or somebody who is gone.
    var by: CarePerson?
    var answers = TankAnswers()

    var tag: EntityTag { EntityTag(version: Int64(version)) }
}

extension PostgresTransaction {
    func answers(of tank: TankKey) throws -> StoredAnswers {
        try execute(ReadTankAnswers(of: tank)).first ?? StoredAnswers()
    }
}
