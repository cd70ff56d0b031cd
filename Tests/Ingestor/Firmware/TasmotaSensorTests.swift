import Instants
import Testing
import WaterQuality

@testable import Ingestor

/// Messages from Tasmota's documentation and issues.
@Suite struct TasmotaSensorTests {
    private static let (water, room) = (ProbeID("00000566CC39"), ProbeID("0000059352D4"))

    private func read(_ text: String, probe: ProbeID? = nil) throws -> FirmwareMessage {
        let message = try FirmwareMessage(Array(text.utf8), on: .tasmotaSensor, probe: probe)
        #expect(message.moments.count == 1)
        return message
    }

    private func payload(_ text: String, probe: ProbeID? = nil) throws -> ReadingsPayload {
        try #require(try read(text, probe: probe).moments.first)
    }

    @Test(arguments: [
        (
            #"{"Time":"2017-02-16T10:13:52","DS18B20":{"Temperature":20.6},"TempUnit":"C"}"#,
            [Parameter.temperature: Float(20.6)]
        ),
        (
            #"{"Time":"2021-01-02T09:09:44","DS18B20":{"Id":"00000566CC39","Temperature":77},"TempUnit":"F"}"#,
            [.temperature: 25]
        ),
        (#"{"TempUnit":"F","DS18B20":{"Temperature":77}}"#, [.temperature: 25]),
        (#"{"Time":"2021-01-02T09:09:44","ANALOG":{"pH":7.41}}"#, [.ph: 7.41]),
        (
            #"{"Time":"2021-01-02T09:09:44","EZOPH":{"pH":8.12},"EZODO":{"DO":7.2},"EZORTD":{"Temperature":24.5},"TempUnit":"C"}"#,
            [.ph: 8.12, .dissolvedOxygen: 7.2, .temperature: 24.5]
        ),
        (
            #"{"ANALOG":{"pH1":7.41},"DS18B20":{"Id":"00000566CC39","Temperature":20.6},"TempUnit":"C"}"#,
            [.ph: 7.41, .temperature: 20.6]
        ),
        (#"{"ANALOG":{"pH0":"7.41"},"TempUnit":"C"}"#, [.ph: 7.41]),
        (#"{"ANALOG":{"Temperature1":19.4,"A2":1024},"TempUnit":"C"}"#, [.temperature: 19.4]),
        (#"{"ANALOG":{"Temperature":"19.4"},"TempUnit":"C"}"#, [.temperature: 19.4]),
        (#"{"DS18B20":{"Id":"00000566CC39","Temperature":" 66.92"},"TempUnit":"F"}"#, [.temperature: 19.4]),
        (#"{"DS18B20":{"Temperature":"warm"},"TempUnit":"C"}"#, [:]),
        (#"{"Pond":{"Id":"0120335EE860","Temperature":18.9},"TempUnit":"C"}"#, [.temperature: 18.9]),
        (#"{"Time":{"Id":"0120335EE860","Temperature":18.9},"TempUnit":"C"}"#, [.temperature: 18.9]),
        (
            #"{"EZO-1":{"pH":8.05},"EZO-2":{"Temperature":31.7,"Humidity":61.0,"DewPoint":22.9},"TempUnit":"C"}"#,
            [.ph: 8.05]
        ),
    ])
    func readsWaterInTheUnitOfTheDevice(_ text: String, _ values: [Parameter: Float]) throws {
        let payload = try payload(text)
        #expect(payload.readings == Readings(values))
        #expect(payload.faults.isEmpty)
        #expect(payload.time == .receipt)
    }

    /// The chip, the air and switches are not ours, and no fault.
    @Test(arguments: [
        #"{"EZOHUM":{"Humidity":null,"Temperature":31.7},"AM2301":{"Temperature":21,"Humidity":60},"TempUnit":"C"}"#,
        #"{"Air":{"Id":"0120335EE860","Temperature":21,"Pressure":1013},"SHT3X-0x44":{"Temperature":21,"Humidity":60}}"#,
        #"{"Pond":{"Id":"not an Id","Temperature":21},"Card":{"Id":"0120335EE860","pH":7}}"#,
        #"{"Time":"2021-01-02T09:09:44","ANALOG":{"A0":1024},"ESP32":{"Temperature":41.7},"TempUnit":"C"}"#,
        #"{"Switch1":"ON","DHT11":{"Temperature":21.0,"Humidity":40.0,"DewPoint":7.0},"BME280":{"Temperature":22},"TempUnit":"C"}"#,
        #"{"ENERGY":{"Total":3.185,"Power":[1,2]},"DS18B20":{"Id":"00000566CC39","Temperature":null},"TempUnit":"C"}"#,
    ])
    func passesOverWhatIsNoWater(_ text: String) throws {
        let payload = try payload(text)
        #expect(payload.readings.isEmpty)
        #expect(payload.faults.isEmpty)
    }

    // MARK: Times

    /// Local time has no offset, and is not UTC; before its first NTP answer a device sends 1970 in either form.
    @Test(
        arguments: [
            (#""Time":"2026-05-01T14:00:00""#, .receipt), (#""Time":"1970-01-01T00:00:03""#, .receipt),
            (#""Time":"?""#, .receipt), (#""Time":"2026-05-01T14:00:00+02:00""#, .at(.noon)),
            (#""Time":"2026-05-01T14:00:00","Epoch":1777636800"#, .at(.noon)), (#""Time":1777636800"#, .at(.noon)),
            (#""Time":1777636800000"#, .at(.noon)), (#""Time":1777636800000000"#, .at(.noon)),
            (#""Epoch":1e300"#, .unreadable), (#""Time":null"#, .receipt),
            (#""Time":"1970-01-01T01:00:35+01:00""#, .at(Timestamp(unixSeconds: Int64(35)))),
            (#""Time":"1970-01-01T00:00:35","Epoch":35"#, .at(Timestamp(unixSeconds: Int64(35)))),
        ] as [(String, StatedTime)])
    func takesNoLocalTimeForUTC(_ time: String, _ meaning: StatedTime) throws {
        let payload = try payload(#"{\#(time),"DS18B20":{"Temperature":20.6},"TempUnit":"C"}"#)
        #expect(payload.time == meaning)
        #expect(payload.readings == Readings([.temperature: 20.6]))
        #expect(payload.reasons == (meaning == .unreadable ? [.badTime] : []))
    }

    // MARK: Probes

    private static let both = #"""
        {"DS18B20-1":{"Id":"00000566CC39","Temperature":23.3},"DS18B20-2":{"Id":"0000059352D4","Temperature":19.2},"TempUnit":"C"}
        """#
    /// A third probe, whose address comes first, renumbers the others.
    private static let renumbered = #"""
        {"DS18B20-1":{"Id":"0000012345AB","Temperature":3.0},"DS18B20-2":{"Id":"00000566CC39","Temperature":23.4},
         "DS18B20-3":{"Id":"0000059352D4","Temperature":19.2},"TempUnit":"C"}
        """#
    /// The probe in the water broke: the room's is the only one left, and has no number.
    private static let lost = #"{"DS18B20":{"Id":"0000059352D4","Temperature":19.2},"TempUnit":"C"}"#

    @Test func theFirstProbeOfADeviceIsTheWaters() throws {
        let message = try read(Self.both)
        #expect(message.probe == Self.water)
        #expect(message.moments[0].readings == Readings([.temperature: 23.3]))
        #expect(message.moments[0].faults.isEmpty, "another probe is no fault")
    }

    /// `DS18Alias` replaces the name by any word: only the Id identifies a probe.
    @Test func aWordForAProbeIsNoOtherProbe() throws {
        let text =
            #"{"Pond":{"Id":"0120335EE860","Temperature":18.9},"Air":{"Id":"01203374828A","Temperature":9.4},"TempUnit":"C"}"#
        let message = try read(text)
        #expect(message.moments[0].readings == Readings([.temperature: 18.9]))
        #expect(message.reports.map(\.probe.text) == ["0120335EE860", "01203374828A"])
        #expect(try payload(text, probe: ProbeID("01203374828A")).readings == Readings([.temperature: 9.4]))
    }

    /// The choice between two boards depends neither on chance nor on which has a value at the moment.
    @Test(
        arguments: [
            (#"{"EZO-1":{"pH":8.05},"EZO-2":{"pH":6.5}}"#, [.ph: 8.05], .ph),
            (#"{"EZO-1":{"pH":null},"EZO-2":{"pH":6.5}}"#, [:], .ph),
            (#"{"ANALOG":{"pH1":7.4,"pH2":6.5}}"#, [.ph: 7.4], .ph),
            (#"{"ANALOG":{"Temperature1":19.4,"Temperature2":31}}"#, [.temperature: 19.4], .temperature),
            (#"{"EZORTD-1":{"Temperature":19.4},"EZORTD-2":{"Temperature":31}}"#, [.temperature: 19.4], .temperature),
        ] as [(String, [Parameter: Float], Parameter)])
    func theFirstOfSeveralBoardsCounts(_ text: String, _ values: [Parameter: Float], _ told: Parameter) throws {
        let payload = try payload(text)
        #expect(payload.readings == Readings(values))
        #expect(payload.faults.map(\.reason) == [.secondProbe])
        #expect(payload.faults.map(\.subject) == [told.name])
    }

    /// A shorted line reads as zero for all of its probes.
    @Test(arguments: [("0.0", "C"), ("-0.0", "C"), ("32.0", "F")]) func aShortedLineIsNoWater(
        _ value: String, _ unit: String
    ) throws {
        func text(_ second: String) -> String {
            #"{"Pond":{"Id":"00000566CC39","Temperature":\#(value)},"DS18B20-2":{"Id":"0000059352D4","Temperature":\#(second)},"#
                + #""TempUnit":"\#(unit)"}"#
        }
        for probe in [nil, Self.water, Self.room] {
            let message = try read(text(value), probe: probe)
            #expect(message.moments[0].readings.isEmpty)
            #expect(message.moments[0].reasons == [.probeFault])
            #expect(message.reports.map(\.temperature) == [nil, nil])
        }
        #expect(try payload(text("40.1")).readings == Readings([.temperature: 0]), "water that freezes")
        let alone = #"{"DS18B20":{"Id":"00000566CC39","Temperature":\#(value)},"TempUnit":"\#(unit)"}"#
        #expect(try payload(alone).readings == Readings([.temperature: 0]), "one alone may be in it")
    }

    @Test func anotherNumberIsNotAnotherProbe() throws {
        #expect(try payload(Self.renumbered, probe: Self.water).readings == Readings([.temperature: 23.4]))
        #expect(try payload(Self.both, probe: Self.room).readings == Readings([.temperature: 19.2]))
    }

    @Test(arguments: [lost, #"{"DS18B20":{"Temperature":19.2},"TempUnit":"C"}"#])
    func theRoomIsNeverTakenForTheWater(_ text: String) throws {
        let message = try read(text, probe: Self.water)
        #expect(message.moments[0].readings.isEmpty)
        #expect(message.moments[0].reasons == [.otherProbe])
        #expect(message.probe == Self.water)
    }

    @Test func whatSeveralProbesSayIsTold() throws {
        #expect(try read(Self.renumbered, probe: Self.water).reports.map { $0.temperature } == [23.4, 3, 19.2])
        #expect(try read(Self.both).reports.map { $0.probe } == [Self.water, Self.room])
        #expect(try read(Self.lost, probe: Self.water).reports == [ProbeReport(probe: Self.room!, temperature: 19.2)])
        #expect(try read(Self.lost).reports.isEmpty, "the only one")
        #expect(try read(Self.lost, probe: Self.room).reports.isEmpty)
        let broken =
            #"{"A":1,"DS18B20-1":{"Id":"AA","Temperature":null},"DS18B20-2":{"Id":"BB","Temperature":185},"TempUnit":"F"}"#
        #expect(
            try read(broken, probe: Self.water).reports == [
                ProbeReport(probe: ProbeID("AA")!), ProbeReport(probe: ProbeID("BB")!),
            ])
    }

    @Test func aProbeWithAnIdComesBeforeOneWithout() throws {
        let text = #"{"ANALOG":{"Temperature":30.1},"DS18B20":{"Id":"00000566CC39","Temperature":23.3},"TempUnit":"C"}"#
        #expect(try payload(text).readings == Readings([.temperature: 23.3]))
        #expect(try read(#"{"ANALOG":{"Temperature":30.1},"TempUnit":"C"}"#).probe == nil)
    }

    @Test(arguments: [
        ("-127", "C"), ("-127.0", "C"), ("-196.6", "F"), ("85", "C"), ("85.00", "C"), ("185.0", "F"), ("nan", "C"),
        ("-inf", "C"), (#""-127.0""#, "C"), (#""nan""#, "C"),
    ])
    func whatAProbeSaysOfItselfIsNoWater(_ value: String, _ unit: String) throws {
        let payload = try payload(
            #"{"DS18B20":{"Temperature":\#(value)},"ANALOG":{"pH":7.4},"TempUnit":"\#(unit)"}"#)
        #expect(payload.readings == Readings([.ph: 7.4]))
        #expect(payload.reasons == [.probeFault])
    }

    @Test(arguments: ["", "[]", "{", #"{"DS18B20":{"Temperature":}}"#, #"{"DS18B20":{"Temperature":1}"#, "{} x"])
    func whatIsNoObjectIsRefused(_ text: String) {
        #expect(throws: RejectReason.malformed) { try read(text) }
    }

    @Test(
        arguments: [
            ("Online", true), ("Offline", false), ("online", nil), ("", nil), (#"{"state":"online"}"#, nil),
        ] as [(String, Bool?)])
    func theWillSaysWhetherItIsConnected(_ text: String, _ isOnline: Bool?) {
        #expect(Availability(Array(text.utf8), on: .tasmotaWill)?.isOnline == isOnline)
    }
}
