import HTTPTypes
import Postgres
import Routes
import SensorThings
import ServiceKit

/// Routes of SensorThings 1.1 (OGC 18-088), to read: what a person sees of their devices, sites and values, for programs that know the standard.
///
/// The standard's paths have brackets and links that no table of routes can list, and its queries a grammar of their own: one route takes them all.
enum SensorThingsRoutes {
    static let base = "/sta/v1.1"
    /// They are not below the API: the standard says where they are, and how they are described.
    static let outside = [root, read].forProjects().map { $0.takingAnyQuery().takingTokenAsPassword() }

    private static let root = Route<Caller>(
        .get, "/sta/v1.1", id: "showSensorThings", tag: "Readings", access: .read,
        "Show the sets of entities",
        answers: .json(.ok, .json)
    ) { caller, _ in
        let scope = caller.scope
        // Whoever is nobody any more learns nothing here either.
        return try await scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
            let broker = try transaction.execute(FindDeviceBroker()).first
            return .value(scope.entityWriter.root(broker?.addresses ?? []))
        }
    }

    private static let path = Input.path(
        "path", Format<String>.text(1...ResourcePath.longest), "The path behind the root.")

    private static let read = Route<Caller>(
        .get, "/sta/v1.1/{path...}", id: "readSensorThings", tag: "Readings", access: .read,
        "Read entities", inputs: [path],
        answers: .text("application/json", "Entities.") { (answer: WrittenEntities) in answer.text },
        problems: [.notFound, .sensorThingsQuery, .sensorThingsUnsupported], limit: .heavy
    ) { caller, inputs in
        let (scope, text) = (caller.scope, inputs[path])
        let query = Query(caller.query ?? "").parameters.map { (name: $0.name, value: $0.value) }
        do {
            let path = try ResourcePath(text)
            let options = try QueryOptions(query, of: path.set, isEntity: path.isEntity)
            let job = try await scope.services.heavy.job(of: scope.person())
            let page = try await job.turn {
                try await scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
                    var reader = try EntityReader(transaction)
                    return try reader.read(path, options)
                }
            }
            let written = WrittenEntities(page, path, options, scope.entityWriter)
            return .value(written, headers: [.contentType: written.mediaType])
        } catch let fault as SensorThingsFault {
            throw Problem(fault)
        }
    }
}

extension Scope {
    fileprivate var entityWriter: EntityWriter {
        EntityWriter(address: EntityAddress(root: services.origin.text + SensorThingsRoutes.base))
    }
}
