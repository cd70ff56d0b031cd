import Instants
import Routes
import Stations
import WaterQuality

/// The station that a site shows, and those that it could.
struct ShownStation: Sendable {
    /// nil: none.
    var station: SiteStation?
    /// The hosts that the operator allows.
    var hosts: StationHosts

    private static let series = Output<StationSeries>.object(
        "StationSeries", "One series of a station: a sensor, for one quantity.",
        [
            .member("id", .text, "The station's own id of it.", example: "12") { $0.id },
            .member("name", .text, "What the station calls it.", example: "Temperature, water") { $0.name },
            .member("unit", .text, "The unit as the station writes it.", example: "C") { $0.unit },
            .member(
                "parameter", .optional(of: .choice(Parameter.Name.self)), "What it is here; null: it is not shown.",
                example: "temperature"
            ) { $0.parameter.map { Parameter.Name($0) } },
            .member("newest", .optional(of: .timestamp), "The time of its newest value; null: none was taken yet.") {
                $0.newest
            },
        ])

    private static let station = Output<SiteStation>.object(
        "SiteStation", "A public station whose values a site shows.",
        [
            .member("kind", .choice(StationKind.self), "The kind of its service.", example: "usgs") { $0.station.kind },
            .member(
                "station", .text, "Its number at the Geological Survey, or the address of its Thing.",
                example: "01646500"
            ) { $0.station.address },
            .member(
                "title", .optional(of: .text), "What it calls itself; null: it has not said.",
                example: "Potomac River near Washington, DC"
            ) { $0.title },
            .member(
                "source", .text, "Whose values they are, to be named beside them.", example: "U.S. Geological Survey"
            ) {
                $0.station.source
            },
            .member(
                "page", .text, "Where more is to be read about it.",
                example: "https://waterdata.usgs.gov/monitoring-location/USGS-01646500/"
            ) { $0.station.page },
            .member("series", .list(of: series), "What it measures.") { $0.series },
            .member("setAt", .timestamp, "Since when the site shows it.") { $0.setAt },
            .member("askedAt", .optional(of: .timestamp), "When it was asked last; null: not yet.") { $0.askedAt },
            .member(
                "fetchedAt", .optional(of: .timestamp), "When it last gave an answer that could be read; null: not yet."
            ) { $0.fetchedAt },
            .member(
                "fault", .optional(of: .choice(StationFault.self)), "Why it gave no values when it was asked last.",
                example: .null
            ) { $0.fault },
            .member("dueAt", .timestamp, "When it is asked next, about.") { $0.dueAt },
        ])

    static let output = Output<ShownStation>.object(
        "Stations", "The public station that a site shows, and what it may be chosen of.",
        [
            .member("station", .optional(of: station), "The station; null: none.") { $0.station },
            .member(
                "kinds", .list(of: .choice(StationKind.self)), "Kinds of services that the operator allows.",
                example: ["usgs", "sensorThings"]
            ) { $0.hosts.kinds },
            .member("hosts", .list(of: .text), "Their hosts.", example: ["api.waterdata.usgs.gov"]) {
                $0.hosts.names.sorted()
            },
        ])
}
