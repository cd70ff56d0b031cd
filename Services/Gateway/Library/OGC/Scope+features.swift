import Postgres
import Routes
import Store
import WaterQuality

extension Scope {
    /// A page of the features that the caller may see.
    func features(_ layer: Layer, _ query: FeatureQuery) async throws -> FeaturePage {
        let (filter, span, limit) = (LocationFilter(box: query.box), query.span, query.limit + 1)
        switch layer {
        case .sites, .devices:
            let after: String? = try query.place(in: layer)
            let rows = try await features(ListLocations(layer, filter, after: after ?? "", in: span, limit: limit))
            return FeaturePage(rows, limit: query.limit, of: layer)
        case .observations:
            let after: ListObservations.Place? = try query.place(in: layer)
            let rows = try await features(ListObservations(filter, after: after ?? .first, in: span, limit: limit))
            return FeaturePage(rows, limit: query.limit, of: layer)
        case .samples:
            let after: ListHandSamples.Place? = try query.place(in: layer)
            let rows = try await features(ListHandSamples(filter, below: after ?? .first, in: span, limit: limit))
            return FeaturePage(rows, limit: query.limit, of: layer)
        }
    }

    /// - Throws: `Problem(.notFound)`, for an unknown feature as for somebody else's.
    func feature(_ id: String, of layer: Layer) async throws -> Feature {
        let found: Feature?
        switch layer {
        case .sites, .devices:
            let rows = try await features(ListLocations(layer, LocationFilter(only: id), limit: 1))
            found = rows.first?.feature
        case .observations:
            guard let id = ObservationID(id) else { throw Problem(.notFound) }
            let all = ListObservations(LocationFilter(only: id.device), limit: 2 * Parameter.count)
            found = try await features(all).first { $0.parameter == id.parameter && $0.isByHand == id.isByHand }?
                .feature
        case .samples:
            guard let id = HandTestID(id) else { throw Problem(.notFound) }
            found = try await features(FindSample(id)).first?.feature
        }
        guard let found else { throw Problem(.notFound) }
        return found
    }

    /// Runs a statement in the caller's turn, for a few seconds at most.
    private func features<S: Statement>(_ statement: S) async throws -> [S.Row] where S.Row: FeatureRow {
        try await services.heavy.job(of: person()).turn {
            try await transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
                try transaction.executeScript("SET LOCAL statement_timeout = '5s'")
                return try transaction.execute(statement)
            }
        }
    }
}
