import Routes
import SensorThings

extension FuzzTarget {
    /// The path and the query of SensorThings.
    static let sensorThings = FuzzTarget(
        "sensorThings",
        seeds: [
            "Things(7)/Datastreams('tank-1:ph:hand')?$select=name",
            "Things(7)/Datastreams?$top=5&$skip=10&$count=true&$select=name,id",
            "Datastreams('tank-1:temperature')/Observations?$filter=phenomenonTime+ge+2026-11-01T00:00:00Z+and+not+(result+mul+2+gt+-3)&$orderby=phenomenonTime+desc",
            "Things?$expand=Datastreams($filter=startswith(name,'a''b');$expand=Sensor,Observations($top=1)),Locations",
            "Locations?$filter=geo.intersects(location,geography'POLYGON((10 50,11 50,11 51,10 51,10 50))')",
            "Observations('481-0f0e0d0c-0b0a-0908-0706-050403020100')/result/$value",
            "HistoricalLocations('7-5')/Thing/$ref",
        ],
        words: EntitySet.allCases.map(\.rawValue) + EntitySet.allCases.flatMap { $0.fields.map(\.path) }
            + FilterOperator.allCases.map(\.rawValue) + FilterFunction.allCases.map(\.rawValue)
            + [
                "(", ")", "'", "''", ",", ";", "/", "$ref", "$value", "$expand=", "$filter=", "not ", "-", "1e9",
                "geography'", "%27",
            ]
    ) { bytes in
        let parts = String(decoding: bytes, as: UTF8.self).split(
            separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path: ResourcePath
        do throws(SensorThingsFault) {
            path = try ResourcePath(String(parts[0]))
        } catch {
            return
        }
        try promise(path.steps.count <= ResourcePath.mostSteps, "a path of \(path.steps.count) steps")
        try promise((try? ResourcePath(path.description)) == path, "\(path) does not read back")
        let query = Query(parts.count > 1 ? String(parts[1]) : "").parameters.map { (name: $0.name, value: $0.value) }
        let options: QueryOptions
        do throws(SensorThingsFault) {
            options = try QueryOptions(query, of: path.set, isEntity: path.isEntity)
        } catch {
            try promise(error.subject.utf8.count <= 64, "a fault quotes \(error.subject.utf8.count) bytes")
            return
        }
        try promise(options.limit <= QueryOptions.mostTop, "a page of \(options.limit)")
        // Numbers are written with all their digits, so that a long filter may be too long once it is written anew.
        let written = options.parameters(of: path.set)
        guard written.allSatisfy({ $0.value.utf8.count <= FilterParser.longest }), options.token == nil else { return }
        let read = try? QueryOptions(
            written.map { (name: $0.name, value: Optional($0.value)) }, of: path.set, isEntity: path.isEntity)
        try promise(read == options, "\(written) does not read back")
    }
}
