/// A question to a station, and the reading of its answer.
package struct StationQuestion: Sendable {
    package let station: Station
    /// The service's origin, without a path.
    package let origin: String
    package let window: StationWindow
    package let choice: StationChoice
    /// Whether the operator's list has only the Survey's former service.
    let asksFormer: Bool

    /// The most bytes of an answer.
    package static let mostBytes = 2 << 20

    /// - Parameter origins: Where the Survey's services are; others than theirs are for tests.
    /// - Returns: nil where the operator's list does not have its host.
    package init?(
        _ station: Station, _ window: StationWindow, _ choice: StationChoice, allowed: StationHosts,
        origins: [String: String] = [:]
    ) {
        guard let host = station.host(allowed) else { return nil }
        self.station = station
        self.window = window
        self.choice = choice
        origin = origins[host] ?? "https://\(host)"
        asksFormer = host == StationHosts.formerUSGS
    }

    /// The address that is asked for values.
    package var url: String {
        switch station {
        case .usgs(let number):
            asksFormer
                ? USGSInstantaneous.url(origin, number, window) : USGSContinuous.url(origin, number, window)
        case .sensorThings(let thing): SensorThingsReader.url(thing, window)
        }
    }

    /// The address that is asked for the name of a station whose values come without.
    package var titleURL: String? {
        guard case .usgs(let number) = station, !asksFormer else { return nil }
        return USGSContinuous.titleURL(origin, number)
    }

    /// - Throws: `unreadable`, or `noSeries` where nothing of the answer is known here.
    package func read(_ body: [UInt8]) throws(StationFault) -> StationAnswer {
        switch station {
        case .usgs(let number):
            asksFormer
                ? try USGSInstantaneous.read(body, number, choice) : try USGSContinuous.read(body, number, choice)
        case .sensorThings: try SensorThingsReader.read(body, choice)
        }
    }

    package func readTitle(_ body: [UInt8]) -> String? { USGSContinuous.readTitle(body) }
}
