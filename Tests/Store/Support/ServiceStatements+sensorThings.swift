import Postgres
import SensorThings
import Store
import TestSupport
import WaterQuality

@testable import Gateway

extension ServiceStatements {
    /// The statements of each service that are put together of what is asked.
    static func composed(_ role: TestDatabase.Role) -> [any ComposedStatement] {
        guard role == .gateway else { return [] }
        let entities = EntitySet.allCases.flatMap { set -> [any ComposedStatement] in
            [false, true].flatMap { isByHand -> [any ComposedStatement] in
                var key = EntityKey()
                if set == .observations {
                    key.slot = device.slot.rawValue
                    key.selection.device = device.device.rawValue
                    key.selection.parameter = 0
                    key.selection.isByHand = isByHand
                }
                let page = ReadEntities(set: set, keys: [key], filter: nil, order: [], limit: 1)
                return [page, CountEntities(page: page)]
            }
        }
        return entities + [changes(hours: 24), changes(hours: 72)]
    }
}

extension PostgresTransaction {
    /// Runs a statement whose rows are of no interest.
    func run(_ statement: some ComposedStatement) throws { _ = try execute(statement) }
}
