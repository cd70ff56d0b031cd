import Testing
import WaterQuality

@Suite struct DatastreamNameTests {
    @Test func namesAndTopicsReadBack() throws {
        for device in ["tank-1", "A_z-09", "hand", String(repeating: "a", count: 32)] {
            for parameter in Parameter.allCases {
                for isByHand in [false, true] {
                    let name = DatastreamName(
                        device: try #require(Device.HardwareID(device)), parameter: parameter, isByHand: isByHand)
                    #expect(DatastreamName(name.description) == name)
                    #expect(DatastreamName(topic: name.topic) == name)
                }
            }
        }
        let ph = try #require(DatastreamName("tank-1:ph"))
        #expect(ph.topic == "v1.1/Datastreams('tank-1:ph')/Observations")
        #expect(DatastreamName("tank-1:ph:hand")?.isByHand == true)
    }

    /// A Datastream has one name, and a topic one form: what looks like another device's is nobody's.
    @Test(arguments: [
        "", ":", "tank-1", "tank-1:", ":ph", "tank-1:level", "tank-1:pH", "tank-1:do_sat", "tank-1:ph:",
        "tank-1:ph:Hand",
        "tank-1:ph:hand:", "tank-1:ph:tank-2:ph", "tank 1:ph", "tank-1 :ph", "tank-1:ph\u{301}",
        "tank-1:ph:hand\u{301}", "tank-1::ph",
        "tank-1:ph'", "tank-1:ph\u{0}", "tänk:ph",
    ]) func anythingElseIsNone(_ text: String) {
        #expect(DatastreamName(text) == nil)
        #expect(DatastreamName(topic: "v1.1/Datastreams('\(text)')/Observations") == nil)
    }

    @Test(arguments: [
        "v1.1/Observations", "v1.0/Datastreams('tank-1:ph')/Observations", "v1.1/Datastreams(tank-1:ph)/Observations",
        "v1.1/Datastreams('tank-1:ph')/Observation", "v1.1/Datastreams('tank-1:ph')/Observations/",
        "v1.1/Datastreams('",
        "v1.1/Datastreams('tank-1:ph')", "/v1.1/Datastreams('tank-1:ph')/Observations",
        "v1.1/Datastreams('')/Observations",
        "v1.1/Things('tank-1:ph')/Observations", "')/Observations", "v1.1/Datastreams('tank-1:ph')/x/Observations",
    ]) func otherTopicsAreNone(_ topic: String) {
        #expect(DatastreamName(topic: topic) == nil)
    }
}
