import Instants
import Testing
import WaterQuality

@testable import Ingestor

/// RFC 8428, with its own examples where they concern us.
@Suite struct SenMLPackTests {
    private func read(_ text: String) throws -> [ReadingsPayload] {
        try FirmwareMessage(Array(text.utf8), on: .senML).moments
    }

    private func only(_ text: String) throws -> ReadingsPayload {
        let moments = try read(text)
        #expect(moments.count == 1)
        return try #require(moments.first)
    }

    @Test(arguments: [
        (#"[{"n":"temperature","u":"Cel","v":23.5}]"#, [Parameter.temperature: Float(23.5)]),
        (
            #"[{"bn":"urn:dev:ow:10e2073a01080063:","n":"temperature","u":"Cel","v":23.5},{"n":"ph","u":"pH","v":7.9}]"#,
            [.temperature: 23.5, .ph: 7.9]
        ),
        (#"[{"n":"tank/1/temperature","u":"K","v":295.15},{"n":"a.b.ph","v":7.9}]"#, [.temperature: 22, .ph: 7.9]),
        (#"[{"bn":"pond:temperature","bu":"Cel","v":23.5}]"#, [.temperature: 23.5]),
        // Base values are added, until the next base value.
        (
            #"[{"bu":"Cel","bv":20,"n":"temperature","v":3.5},{"n":"ph","u":"pH","bv":0,"v":7.9}]"#,
            [.temperature: 23.5, .ph: 7.9]
        ),
        (#"[{"n":"salinity","u":"S/m","v":5}]"#, [.salinity: 32.7332]),
        (#"[{"n":"oxygen_saturation","u":"/","v":0.86}]"#, [.oxygenSaturation: 86]),
        (#"[{"n":"dissolved_oxygen","u":"/","v":0.86}]"#, [.oxygenSaturation: 86]),
        (
            #"[{"n":"dissolved_oxygen","u":"mg/L","v":8},{"n":"nitrate","u":"kg/m3","v":0.005}]"#,
            [.dissolvedOxygen: 8, .nitrate: 5]
        ),
        (#"[{"bver":10,"n":"ph","v":7.9,"s":12,"ut":60}]"#, [.ph: 7.9]),
    ])
    func recordsAreResolved(_ text: String, _ values: [Parameter: Float]) throws {
        let moment = try only(text)
        #expect(moment.faults.isEmpty)
        for (parameter, value) in values {
            let found = try #require(moment.readings[parameter])
            #expect(abs(found - value) <= value * 1e-5, "\(parameter) \(found)")
        }
        var rest = moment.readings
        for parameter in values.keys { rest[parameter] = nil }
        #expect(rest.isEmpty)
    }

    @Test func timesAreAbsoluteOrRelativeToNow() throws {
        let moments = try read(
            #"""
            [{"bn":"tank:","bt":1777636800,"n":"ph","v":7.1},{"n":"temperature","u":"Cel","v":21},
             {"n":"ph","t":-60,"v":7.2},{"n":"ph","bt":0,"v":7.3},{"n":"ph","t":-30.5,"v":7.4},{"n":"ph","t":35,"v":7.5}]
            """#)
        #expect(moments.map(\.time) == [.at(.noon), .at(.noon - .seconds(60)), .receipt, .ago(.milliseconds(30_500))])
        #expect(moments[0].readings == Readings([.ph: 7.1, .temperature: 21]), "one moment, one reading")
        #expect(moments[2].readings == Readings([.ph: 7.5]), "an uptime of 35 s is not 35 s ahead of us")
    }

    /// The boundary of section 4.5.3: 2^28 seconds.
    @Test func aTimeBelowTheBoundaryIsNone() throws {
        #expect(try only(#"[{"n":"ph","t":268435455,"v":7}]"#) == .with(Readings([.ph: 7])))
        let absolute = try only(#"[{"n":"ph","t":268435456,"v":7}]"#)
        #expect(absolute.time == .at(Timestamp(unixSeconds: Int64(268_435_456))))
        #expect(try only(#"[{"n":"ph","t":-1e300,"v":7}]"#).time == .ago(.seconds(100_000_000_000)), "and no trap")
        #expect(try only(#"[{"n":"ph","bt":1e300,"v":7}]"#).time == .unreadable)
    }

    @Test(arguments: [
        (#"{"n":"voltage","u":"V","v":12}"#, RejectReason.unknownParameter),
        (#"{"n":"temperature","u":"%RH","v":12}"#, .unknownUnit),
        (#"{"n":"temperature","u":"/","v":12}"#, .unknownUnit),
        (#"{"n":"temperature","vs":"warm"}"#, .wrongType), (#"{"n":"temperature","vb":true}"#, .wrongType),
        (#"{"n":"temperature","v":"12"}"#, .wrongType), (#"{"n":"temperature","u":"Cel","v":-127}"#, .probeFault),
        (#"{"n":"temperature","u":"Cel","v":nan}"#, .probeFault),
        (#"{"n":"temperature","u":"Cel","v":85}"#, .probeFault),
        (#"{"n":"salinity","u":"S/m","v":-1}"#, .beyondUnit),
    ])
    func theRestStillCounts(_ record: String, _ reason: RejectReason) throws {
        for text in [#"[\#(record),{"n":"ph","v":7.9}]"#, #"[{"n":"ph","v":7.9},\#(record)]"#] {
            let moment = try only(text)
            #expect(moment.readings == Readings([.ph: 7.9]))
            #expect(moment.reasons == [reason])
        }
    }

    @Test(arguments: [
        "", "{}", "[", "[{}", "[1]", #"[{"n":"ph","v":7.9}"#, #"[{"n":"ph","v":7.9}] x"#,
        #"[{"bver":11,"n":"ph","v":7.9}]"#,
        #"[{"n":"ph","v":7.9,"mustknow_":1}]"#,
    ])
    func whatIsNoPackIsRefused(_ text: String) {
        #expect(throws: RejectReason.malformed) { try read(text) }
    }

    @Test func anEmptyPackSaysNothing() throws {
        #expect(try only("[]") == ReadingsPayload())
    }
}
