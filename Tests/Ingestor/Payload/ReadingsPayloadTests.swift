import Instants
import Testing
import WaterQuality

@testable import Ingestor

/// The messages that a device may send, and the treatment of faulty parts: the rest of a message still counts.
@Suite struct ReadingsPayloadTests {
    static let both = Readings([.temperature: 23.4, .ph: 7.9])

    @Test(arguments: [
        #"{"time":"2026-05-01T12:00:00Z","readings":{"temperature":23.4,"ph":7.9}}"#,
        #"{"readings":{"ph":7.9,"temperature":23.4},"time":1777636800}"#,
        #"{"time":"2026-05-01T12:00:00Z","temperature":23.4,"ph":7.9}"#,
        #"{"temperature":23.4,"time":1777636800.0,"ph":7.9}"#,
        #"{"readings":{"temperature":23.4},"ph":7.9,"time":"1777636800"}"#,
        #" { "time" : "2026-05-01T14:00:00+02:00" , "readings" : { "temperature" : 23.4 , "ph" : 7.9 } } "# + "\r\n\t",
    ])
    func bothShapesSayTheSame(_ text: String) throws {
        let payload = try ReadingsPayload(text: text)
        #expect(payload.time == .at(.noon))
        #expect(payload.readings == Self.both)
        #expect(payload.faults.isEmpty)
    }

    @Test func everyParameterHasItsName() throws {
        for parameter in Parameter.allCases {
            let payload = try ReadingsPayload(text: #"{"\#(parameter.name)":3.25}"#)
            #expect(payload == ReadingsPayload.with(Readings([parameter: 3.25])))
        }
    }

    @Test(arguments: [
        ("pH", Parameter.ph), ("PH", .ph), ("Temp", .temperature), ("water_temperature", .temperature),
        ("dissolvedOxygen", .dissolvedOxygen), ("DO", .dissolvedOxygen), ("dissolved-oxygen", .dissolvedOxygen),
        (#"\u0070\u0048"#, .ph),
    ])
    func namesHaveAliases(_ name: String, _ parameter: Parameter) throws {
        let payload = try ReadingsPayload(text: #"{"\#(name)":5}"#)
        #expect(payload == ReadingsPayload.with(Readings([parameter: 5])))
    }

    @Test(arguments: [
        (#"{"temperature":{"value":77,"unit":"°F"}}"#, Readings([.temperature: 25])),
        (#"{"temperature":{"unit":"\u00b0F","value":77.0}}"#, Readings([.temperature: 25])),
        (#"{"temperature":{"value":295.15,"unit":"K"}}"#, Readings([.temperature: 22])),
        (#"{"temperature":{"value":25}}"#, Readings([.temperature: 25])),
        (#"{"readings":{"ammonia":{"value":250,"unit":"ug/L"}}}"#, Readings([.ammonia: 0.25])),
        (#"{"nitrate":{"value":5,"unit":"mg/l","sensor":{"id":[1,2]}}}"#, Readings([.nitrate: 5])),
        (#"{"ph":{"value":7.5,"unit":""}}"#, Readings([.ph: 7.5])),
    ])
    func valuesMayHaveUnits(_ text: String, _ readings: Readings) throws {
        let payload = try ReadingsPayload(text: text)
        #expect(payload == ReadingsPayload.with(readings))
    }

    /// Check values for each unit, as devices may send them.
    @Test(arguments: [
        (Parameter.nitrate, 10, "mg/L NO3-N", Float(44.268)), (.nitrite, 1, "mg/L as N", 3.28454),
        (.ammonia, 1, "ppm N", 1.28785), (.ammonia, 0.5, "mg/L NH4+", 0.5), (.nitrate, 50, "mg/L NO3", 50),
        (.alkalinity, 8, "dKH", 142.784), (.alkalinity, 2.853, "meq/L", 142.774), (.hardness, 12, "°dH", 214.176),
        (.hardness, 1, "mmol/L", 100.087), (.hardness, 12, "°f", 120), (.hardness, 10, "°e", 142.538),
        (.hardness, 7, "gpg", 119.826), (.dissolvedOxygen, 5.6, "mL/L", 8.00268),
        (.dissolvedOxygen, 250, "µmol/L", 7.99969),
        (.salinity, 35, "PSU", 35), (.salinity, 1.02637, "SG", 34.9964), (.salinity, 50, "mS/cm", 32.7332),
        (.salinity, 17_020, "µS/cm", 9.99728), (.temperature, 300, "K", 26.85),
        (.conductivity, 1.413, "mS/cm", 1413), (.conductivity, 5.3, "S/m", 53_000), (.orp, 250, "mV", 250),
        (.freeAmmonia, 20, "ppb", 0.02), (.freeAmmonia, 0.1, "mg/L NH3-N", 0.121588), (.turbidityFNU, 3, "FNU", 3),
    ])
    func valuesMayBeInAnyUnit(parameter: Parameter, value: Double, unit: String, canonical: Float) throws {
        let payload = try ReadingsPayload(text: #"{"\#(parameter.name)":{"value":\#(value),"unit":"\#(unit)"}}"#)
        #expect(payload.faults == [])
        let found = try #require(payload.readings[parameter])
        #expect(abs(found - canonical) <= canonical * 1e-5, "\(found)")
    }

    /// Two quantities may have the same name.
    @Test func theUnitTellsTheQuantity() throws {
        let payload = try ReadingsPayload(
            text: #"{"do":{"value":98,"unit":"%"},"turbidity":{"value":3,"unit":"FNU"},"ec":{"value":410,"unit":"µS"}}"#
        )
        #expect(payload.faults == [])
        #expect(payload.readings == Readings([.oxygenSaturation: 98, .turbidityFNU: 3, .conductivity: 410]))
    }

    /// Numbers as texts, from firmware that has no numbers, padded by printf.
    @Test(arguments: [
        #"{"temperature":"23.4","ph":"7.9"}"#, #"{"temperature":" 23.40","ph":"7.9 "}"#,
        #"{"temperature":{"value":"74.12","unit":"°F"},"ph":"79e-1"}"#,
    ])
    func aNumberMayBeAText(_ text: String) throws {
        let payload = try ReadingsPayload(text: text)
        #expect(payload.readings == Readings([.temperature: 23.4, .ph: 7.9]))
        #expect(payload.faults.isEmpty)
    }

    /// ThingsBoard's form, and the other names of a time.
    @Test(arguments: [
        #"{"ts":1777636800000,"values":{"ph":7.9}}"#, #"{"values":{"ph":"7.9"},"ts":1777636800000}"#,
        #"{"timestamp":"2026-05-01T12:00:00Z","ph":7.9}"#, #"{"ph":7.9,"timestamp":1777636800}"#,
        #"{"time":1777636800,"timestamp":"2026-05-01 14:00:00","ph":7.9}"#,
    ])
    func aTimeHasOtherNames(_ text: String) throws {
        let payload = try ReadingsPayload(text: text)
        #expect(payload.readings == Readings([.ph: 7.9]))
        #expect(payload.time == .at(.noon))
        #expect(payload.faults.isEmpty)
    }

    /// Whoever has a device's key chooses its names, and people read them.
    @Test func aNameHidesNothing() throws {
        let payload = try ReadingsPayload(text: "{\"p\u{202E}o\u{200B}4\":1,\"ph\":7.9}")
        #expect(payload.faults.map(\.subject) == ["po4"])
        #expect(payload.faults.map(\.detail) == ["no parameter is called 'po4'"])
    }

    @Test func anArrayHasAMomentOfEach() throws {
        func moments(_ text: String) throws -> [ReadingsPayload]? { try ReadingsPayload.moments(Array(text.utf8)) }
        let read = try #require(
            try moments(
                #" [{"ts":1777636800000,"values":{"ph":7.9}},{"ph":"x"},{"timestamp":1777636830,"ph":7.8}]"#))
        let later: Timestamp = .noon + .seconds(30)
        #expect(read.map(\.time) == [.at(.noon), .receipt, .at(later)])
        #expect(read.map(\.readings) == [Readings([.ph: 7.9]), Readings(), Readings([.ph: 7.8])])
        #expect(try moments("{}") == nil)
        for text in ["[]", "[7]", "[[{}]]", "[{}"] { #expect(throws: RejectReason.malformed) { try moments(text) } }
        let many = "[" + Array(repeating: "{}", count: PostedPayloads.most + 1).joined(separator: ",") + "]"
        #expect(throws: RejectReason.tooLarge) { try moments(many) }
        let large = "[{}" + String(repeating: " ", count: ReadingsPayload.largest) + "]"
        #expect(throws: RejectReason.tooLarge) { try moments(large) }
    }

    /// DESIGN's table of bad input, for single messages: each has a pH that still counts.
    @Test(arguments: [
        (#""colour":1"#, RejectReason.unknownParameter), (#""colour":{"deep":[{"er":null}]}"#, .unknownParameter),
        (#""temperature":"23,4""#, .wrongType), (#""temperature":"23.4 C""#, .wrongType),
        (#""temperature":"""#, .wrongType), (#""temperature":"0x17""#, .wrongType),
        (#""temperature":"23.40000000000000000000000000000000""#, .wrongType),
        (#""temperature":{"value":"23,4"}"#, .wrongType), (#""temperature":true"#, .wrongType),
        (#""temperature":[1,2]"#, .wrongType),
        (#""temperature":{}"#, .wrongType), (#""temperature":{"value":[23]}"#, .wrongType),
        (#""temperature":{"celsius":23}"#, .wrongType), (#""temperature":{"value":23,"unit":"ppm"}"#, .unknownUnit),
        (#""temperature":{"value":23,"unit":"parsec"}"#, .unknownUnit),
        (#""salinity":{"value":98,"unit":"%"}"#, .unknownUnit),
        (#""turbidity_fnu":{"value":3,"unit":"NTU"}"#, .unknownUnit),
        (#""conductivity":{"value":3,"unit":"mg/L"}"#, .unknownUnit),
        (#""alkalinity":{"value":8,"unit":"dGH"}"#, .unknownUnit),
        (#""nitrite":{"value":1,"unit":"mg/L NO3"}"#, .unknownUnit),
        (#""salinity":{"value":0.99,"unit":"SG"}"#, .beyondUnit),
        (#""salinity":{"value":26.4,"unit":"SG"}"#, .beyondUnit),
        (#""salinity":{"value":-1,"unit":"mS/cm"}"#, .beyondUnit),
        (#""salinity":{"value":53065,"unit":"mS/cm"}"#, .beyondUnit),
        (#""temperature":{"value":-500,"unit":"F"}"#, .beyondUnit),
        (#""salinity":{"value":nan,"unit":"SG"}"#, .probeFault),
        (#""salinity":{"value":1e400,"unit":"SG"}"#, .probeFault),
        (#""time":"yesterday""#, .badTime), (#""time":"2026-05-01T12:00:00""#, .badTime), (#""time":true"#, .badTime),
        (#""time":[2026]"#, .badTime), (#""time":{"s":1}"#, .badTime), (#""time":1e300"#, .badTime),
        (#""time":nan"#, .badTime),
        (#""temperature":-127"#, .probeFault), (#""temperature":{"value":-196.6,"unit":"F"}"#, .probeFault),
        (#""temperature":"nan""#, .probeFault), (#""temperature":"NaN""#, .probeFault),
        (#""temperature":"-inf""#, .probeFault),
        (#""temperature":nan"#, .probeFault), (#""temperature":NaN"#, .probeFault),
        (#""temperature":-nan"#, .probeFault),
        (#""temperature":inf"#, .probeFault), (#""temperature":-Infinity"#, .probeFault),
        (#""temperature":{"value":nan,"unit":"C"}"#, .probeFault), (#""temperature":1e39"#, .probeFault),
        (#""temperature":-1e400"#, .probeFault), (#""temperature":"1e400""#, .probeFault),
        (#""temperature":"-127""#, .probeFault), (#""timestamp":"yesterday""#, .badTime), (#""ts":true"#, .badTime),
    ])
    func theRestStillCounts(_ bad: String, _ reason: RejectReason) throws {
        for text in [#"{\#(bad),"ph":7.9}"#, #"{"ph":7.9,\#(bad)}"#] {
            let payload = try ReadingsPayload(text: text)
            #expect(payload.readings == Readings([.ph: 7.9]), "\(text)")
            #expect(payload.reasons == [reason], "\(text)")
            #expect(payload.time == (reason == .badTime ? .unreadable : .receipt), "\(text)")
            let probe = ParameterSet(bad.hasPrefix(#""salinity"#) ? .salinity : .temperature)
            #expect(payload.brokenProbes == (reason == .probeFault ? probe : []), "\(text)")
        }
    }

    /// A DS18B20 that was read too early after power-on, in any unit; and its neighbours, which are water.
    @Test func eightyFiveDegreesAreNoWater() throws {
        for text in [#"{"temperature":85}"#, #"{"temperature":85.00}"#, #"{"temperature":{"value":185,"unit":"°F"}}"#] {
            let payload = try ReadingsPayload(text: text)
            #expect(payload.readings.isEmpty && payload.brokenProbes == ParameterSet(.temperature), "\(text)")
        }
        #expect(try ReadingsPayload(text: #"{"temperature":85.0625}"#).readings[.temperature] == 85.0625)
    }

    /// A probe with two names: one value is enough.
    @Test func aProbeThatGivesAValueIsNotBroken() throws {
        for text in [#"{"temperature":-127,"temp":24}"#, #"{"temp":24,"temperature":-127}"#] {
            let payload = try ReadingsPayload(text: text)
            #expect(payload.readings[.temperature] == 24 && payload.brokenProbes.isEmpty, "\(text)")
        }
    }

    @Test(arguments: [
        "{}", #"{"temperature":null,"time":null}"#, #"{"ph":{"value":null,"unit":"pH"}}"#, #"{"readings":{}}"#,
    ])
    func nothingIsNoFault(_ text: String) throws {
        #expect(try ReadingsPayload(text: text) == ReadingsPayload.with(Readings()))
    }

    @Test(arguments: [
        "", " ", "null", "7.9", "[]", #""online""#, "{", #"{"ph"}"#, #"{"ph":}"#, #"{"ph":7.9"#, #"{"ph":7.9,}"#,
        #"{"ph":7.9}}"#,
        #"{"ph":7.9} x"#, #"{"ph":7.9 "temperature":20}"#, #"{ph:7.9}"#, #"{'ph':7.9}"#, #"{"ph":07.9}"#,
        #"{"ph":7,9}"#,
        #"{"ph":.9}"#, #"{"ph":tru}"#, #"{"ph":na}"#, #"{"ph":nonsense}"#, #"{"ph":-i}"#, #"{"readings":{"ph":7.9}"#,
        "\u{FEFF}{}",
    ])
    func whatIsNoObjectIsRefusedWhole(_ text: String) {
        #expect(throws: RejectReason.malformed, "\(text)") { try ReadingsPayload(text: text) }
    }

    @Test func theLastOfDuplicateKeysCounts() throws {
        let payload = try ReadingsPayload(
            text: #"{"ph":1,"time":5,"ph":7.9,"readings":{"temperature":2,"temperature":23.4},"time":1777636800}"#)
        #expect(payload.readings == Self.both)
        #expect(payload.time == .at(.noon))
    }

    @Test func aMessageHasABound() throws {
        func padded(_ count: Int) -> String {
            #"{"ph":7.9"# + String(repeating: " ", count: count - 10) + "}"
        }
        #expect(try ReadingsPayload(text: padded(ReadingsPayload.largest)).readings == Readings([.ph: 7.9]))
        #expect(throws: RejectReason.tooLarge) { try ReadingsPayload(text: padded(ReadingsPayload.largest + 1)) }
    }

    @Test func faultsAreToldUpToANumberAndInAShortForm() throws {
        let many = (0..<200).map { #""x\#($0)":1"# }.joined(separator: ",")
        #expect(try ReadingsPayload(text: "{\(many)}").faults.count == ReadingsPayload.mostFaults)
        let long = try ReadingsPayload(text: #"{"\u001b[2J\u009b\u0000\#(String(repeating: "x", count: 3_000))":1}"#)
        let detail = try #require(long.faults.first?.detail)
        #expect(detail.utf8.count < 120)
        #expect(detail.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
    }
}

extension ReadingsPayload {
    static func with(_ readings: Readings) -> ReadingsPayload? {
        guard var payload = try? ReadingsPayload(text: "{}") else { return nil }
        payload.readings = readings
        return payload
    }
}
