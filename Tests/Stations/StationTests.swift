import PushTargets
import Routes
import Testing
import WaterQuality

@testable import Stations

/// The names of stations, and the hosts that may be asked.
@Suite struct StationTests {
    @Test(arguments: [
        "01646500", "USGS-01646500", "usgs-01646500", "https://waterdata.usgs.gov/monitoring-location/USGS-01646500/",
        "https://waterdata.usgs.gov/monitoring-location/01646500/#parameterCode=00010&period=P7D",
        "https://waterdata.usgs.gov/nwis/uv?site_no=01646500&period=7",
    ])
    func `a station of the Survey is its number, however it is copied`(_ text: String) {
        #expect(Station(.usgs, text) == .usgs("01646500"))
    }

    @Test(arguments: [
        "", "1646500", "0164650a", "0164650012345678", "https://evil.example/01646500", "USGS-", "０１６４６５００",
    ])
    func `what is no number of a station is none`(_ text: String) {
        #expect(Station(.usgs, text) == nil)
    }

    @Test func `a Thing is named by its own address`() throws {
        for text in ["https://sta.example/v1.1/Things(12)", "https://STA.example:443/v1.1/Things(12)"] {
            let station = try #require(Station(.sensorThings, text))
            #expect(station.address == "https://sta.example/v1.1/Things(12)")
            #expect(Station(.sensorThings, station.address) == station, "what is stored is read again")
            #expect(station.source == "sta.example" && station.page == station.address)
        }
        let named = try #require(Station(.sensorThings, "https://sta.example:8443/FROST/v1.1/Things('weir-1')"))
        #expect(named.source == "sta.example:8443")
    }

    @Test(arguments: [
        "http://sta.example/v1.1/Things(12)", "https://sta.example/v1.1/Things(12)?$expand=Datastreams",
        "https://sta.example/v1.1/Things", "https://sta.example/v1.1/Things()", "https://sta.example/v1.1/Things(1;2)",
        "https://sta.example/v1.1/Things('a'b')", "https://sta.example/v1.1/Datastreams(12)",
        "https://user@sta.example/v1.1/Things(12)", "https://sta.example/v1.1/Things(12)/Datastreams",
        "ftp://sta.example/v1.1/Things(12)",
    ])
    func `what is no Thing over an encrypted connection is none`(_ text: String) {
        #expect(Station(.sensorThings, text) == nil)
    }

    @Test func `an address is no longer than is stored`() {
        let path = String(repeating: "a", count: Station.longest)
        #expect(Station(.sensorThings, "https://sta.example/\(path)/Things(1)") == nil)
    }

    @Test func `the operator's list is hosts`() throws {
        let hosts = try #require(StationHosts(" api.waterdata.usgs.gov, STA.example:8443 ,"))
        #expect(hosts.names == ["api.waterdata.usgs.gov", "sta.example:8443"])
        #expect(hosts.kinds == [.usgs, .sensorThings])
        #expect(StationHosts("api.waterdata.usgs.gov")?.kinds == [.usgs])
        #expect(StationHosts("")?.isEmpty == true)
        for text in [
            "https://sta.example", "sta.example/v1.1", "*.example", "sta.example:0", "a b", "user@sta.example",
            "sta.example#x",
        ] {
            #expect(StationHosts(text) == nil, "\(text)")
        }
        let many = (0...StationHosts.most).map { "h\($0).example" }.joined(separator: ",")
        #expect(StationHosts(many) == nil)
    }

    @Test func `only hosts of the list are asked, and the Survey at its present service where both are`() throws {
        let thing = try #require(Station(.sensorThings, "https://sta.example/v1.1/Things(1)"))
        #expect(thing.host(StationHosts(["sta.example"])) == "sta.example")
        #expect(thing.host(StationHosts(["sta.example:8443", "example"])) == nil)
        let river = Station.usgs("01646500")
        #expect(river.host(.none) == nil)
        #expect(river.host(StationHosts([StationHosts.formerUSGS])) == "waterservices.usgs.gov")
        #expect(river.host(StationHosts([StationHosts.formerUSGS, StationHosts.usgs])) == "api.waterdata.usgs.gov")
    }

    @Test func `the owner's choice is read as it was written`() {
        let choice = StationChoice(["1": .ph, "2": nil])
        #expect(StationChoice(choice.json) == choice)
        #expect(choice.json == ["1": "ph", "2": ""])
        #expect(StationChoice(["1": "unheard-of", "2": 3]) == StationChoice())
    }
}
