import HTTPTypes
import Postgres
import Routes
import Stations
import Store
import WaterQuality

/// Routes of others' public stations, whose values a site shows.
enum StationRoutes {
    static let all = [show, set, end].forProjects()

    private static let kind = Input.field("kind", .choice(StationKind.self).example("usgs"), "The kind of its service.")
    private static let station = Input.field(
        "station", .text(1...Station.longest).example("01646500"),
        "The number of a monitoring location of the Geological Survey, or the https address of a SensorThings Thing: https://sta.example/v1.1/Things(12)."
    )
    private static let choice = Input.field(
        "series", .list(of: ChosenSeries.format, count: 0...StationSeries.most), default: [],
        "What series are, where their own names do not tell, or which are not to be shown.")

    private static let text = """
        A site can show what a public station measures that somebody else runs. The Ingestor asks it by its own rhythm, every fifteen minutes at \
        most, and stores its values as the site's own, in the catalogue's units: limits, graphs and alerts hold for them as for a probe's. What comes \
        up to three hours late is still told. Values before the station was chosen come for the last day. A station that gives none is no silence: the \
        site says why. Only hosts of the operator's list are asked.
        """

    private static let show = Route<Caller>(
        .get, "/devices/{device}/station", id: "showStation", tag: DeviceRoutes.tag, access: .read,
        "Show whose values a site shows", text: text,
        inputs: [DeviceInputs.device], answers: .json(.ok, ShownStation.output), problems: [.notFound]
    ) { caller, inputs in
        let (id, hosts) = (inputs[DeviceInputs.device], caller.scope.services.stations)
        return try await caller.scope.transaction { transaction, _ in
            let site = try transaction.personDevice(id).key
            let found: SiteStation? = try transaction.execute(FindStation(of: site)).first ?? nil
            return .value(ShownStation(station: found, hosts: hosts))
        }
    }

    private static let set = Route<Caller>(
        .put, "/devices/{device}/station", id: "setStation", tag: DeviceRoutes.tag, access: .write,
        "Choose the station whose values a site shows",
        text: text + " Another one takes the place of the one before, whose values stay.",
        inputs: [DeviceInputs.device, kind, station, choice], answers: .json(.ok, ShownStation.output),
        problems: [.notFound, .ownerOnly, .tooManyRequests]
    ) { caller, inputs in
        let (id, hosts) = (inputs[DeviceInputs.device], caller.scope.services.stations)
        let wanted = Station(inputs[kind], inputs[station])
        let chosen = StationChoice(Dictionary(inputs[choice].map { ($0.id, $0.parameter) }) { first, _ in first })
        return try await caller.scope.transaction { transaction, _ in
            let site = try transaction.ownDevice(id)
            guard let wanted else { throw Problem(station, .notAStation) }
            guard let host = wanted.host(hosts) else { throw Problem(station, .stationNotAllowed) }
            switch try transaction.execute(SetStation(wanted, at: host, chosen, of: id))[0] {
            case .set, .same:
                let found: SiteStation? = try transaction.execute(FindStation(of: site)).first ?? nil
                return .value(ShownStation(station: found, hosts: hosts))
            case .unknown: throw Problem(.notFound)
            case .notASite: throw Problem(station, .notASite)
            case .tooMany: throw Problem(station, .tooManyStations)
            case .tooOften: throw Problem(.tooManyRequests, retryAfter: .seconds(86_400))
            }
        }
    }

    private static let end = Route<Caller>(
        .delete, "/devices/{device}/station", id: "endStation", tag: DeviceRoutes.tag, access: .write,
        "Show no station at a site any more",
        text: "Values that came from it stay. Where the site shows none, nothing changes.",
        inputs: [DeviceInputs.device], answers: .nothing, problems: [.notFound, .ownerOnly]
    ) { caller, inputs in
        let id = inputs[DeviceInputs.device]
        return try await caller.scope.transaction { transaction, _ in
            _ = try transaction.ownDevice(id)
            _ = try transaction.execute(LetStationGo(of: id))
            return .nothing
        }
    }
}

/// The owner's word on one series.
private struct ChosenSeries: Hashable, Sendable {
    var id: String
    /// nil: not shown.
    var parameter: Parameter?

    static let format = Format<ChosenSeries>.object(
        [id, parameter], required: ["id", "parameter"], example: ["id": "12", "parameter": "temperature"],
        or: .notASeries
    ) { members throws(Fault) in
        guard let id = try members[id], let parameter = try members[parameter],
            id.utf8.count <= StationSeries.longestID
        else { return nil }
        return ChosenSeries(id: id, parameter: parameter?.parameter)
    }

    private static let id = ObjectMember("id", Format<String>.text(1...StationSeries.longestID).example("12"))
    private static let parameter = ObjectMember(
        "parameter", Format<Parameter.Name>.choice(Parameter.Name.self).example("temperature").nullable)
}

extension Fault {
    fileprivate static let notAStation = Fault("not-a-station")
    fileprivate static let stationNotAllowed = Fault("station-not-allowed")
    fileprivate static let notASite = Fault("not-a-site")
    fileprivate static let tooManyStations = Fault("too-many-stations")
    fileprivate static let notASeries = Fault("not-a-series")
}
