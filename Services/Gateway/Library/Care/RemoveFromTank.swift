import Postgres
import Store

/// A kind of thing that clients name and put into a tank.
protocol RowOfTank: Sendable {
    associatedtype ID: RowUUID

    static var table: String { get }
    /// The column of its id.
    static var id: String { get }
}

/// Removes something from a tank, with what belongs to it.
struct RemoveFromTank<Thing: RowOfTank>: Statement {
    static var sql: String { "DELETE FROM \(Thing.table) WHERE slot = $1 AND tank_id = $2 AND \(Thing.id) = $3" }

    let id: Thing.ID
    let tank: TankKey

    init(_: Thing.Type, _ id: Thing.ID, in tank: TankKey) {
        self.id = id
        self.tank = tank
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(tank)
        parameters.append(id)
    }
}
