import Instants
import TestSupport
import Testing
import WaterQuality

@testable import Ingestor

/// Messages as sent by devices of both generations.
@Suite struct ShellyStatusTests {
    private static let (first, second) = (ProbeID("100")!, ProbeID("101")!)
    private static let (water, room) = (ProbeID("28FF641E8216031D")!, ProbeID("28FF0A5B82160475")!)

    private func read(
        _ text: String, on subject: Topic.Subject = .shellyEvents, probe: ProbeID? = nil, hasOthers: Bool = false
    ) throws -> FirmwareMessage {
        try FirmwareMessage(Array(text.utf8), on: subject, probe: probe, hasOthers: hasOthers)
    }

    private static func notification(_ status: String, method: String = "NotifyStatus") -> String {
        #"{"src":"shellyplus1-a8032ab636ec","dst":"aqua/v1/pond-1/shelly/events","method":"\#(method)","params":{\#(status)}}"#
    }

    private static let whole = notification(
        #"""
        "ts":1777636800.04,"ble":{},"cloud":{"connected":false},"input:0":{"id":0,"state":false},"input:100":{"id":100,"percent":12.3},
        "humidity:100":{"id":100,"rh":48.2},"mqtt":{"connected":true},"switch:0":{"id":0,"source":"init","output":true,
        "temperature":{"tC":52.1,"tF":125.8}},"sys":{"mac":"A8032AB636EC","time":"14:00","unixtime":1777636800,"uptime":12},
        "temperature:0":{"id":0,"tC":48.3,"tF":118.9},"temperature:99":{"id":99,"tC":47,"tF":116.6},
        "temperature:100":{"id":100,"tC":23.4,"tF":74.1},"temperature:101":{"id":101,"tC":19.2,"tF":66.6},
        "voltmeter:100":{"id":100,"voltage":4.321,"xvoltage":7.2},"wifi":{"sta_ip":"192.168.1.7","rssi":-61},"ws":{"connected":false}
        """#, method: "NotifyFullStatus")

    @Test func theAddOnsFirstProbeIsTheWaters() throws {
        let message = try read(Self.whole)
        #expect(message.moments.map(\.readings) == [Readings([.temperature: 23.4])])
        #expect(message.moments.map(\.faults) == [[]])
        #expect(message.moments.map(\.time) == [StatedTime(epoch: 1_777_636_800.04)])
        #expect(message.probe == Self.first)
        #expect(
            message.reports == [
                ProbeReport(probe: Self.first, temperature: 23.4), ProbeReport(probe: Self.second, temperature: 19.2),
            ])
        #expect(try read(Self.whole, probe: Self.second).moments.map(\.readings) == [Readings([.temperature: 19.2])])
    }

    /// A Shelly reports its relays and its own temperature all day: neither is water, nor a fault.
    @Test(arguments: [
        notification(#""ts":1777636800.04,"temperature:0":{"id":0,"tC":48.3,"tF":118.9}"#),
        notification(#""ts":1777636800.04,"switch:0":{"id":0,"apower":8.9,"temperature":{"tC":52.1,"tF":125.8}}"#),
        notification(
            #""ts":1777636800.04,"voltmeter:100":{"id":100,"voltage":4.3},"humidity:100":{"id":100,"rh":48.2}"#),
        notification(#""ts":1e300,"sys":{"cfg_rev":11}"#), notification(""),
        notification(
            #""temperature:10":{"tC":1},"temperature:200":{"tC":1},"temperature:1000":{"tC":1},"temperature:1a0":{"tC":1}"#
        ),
        notification(
            #""ts":1777636800.04,"events":[{"component":"input:0","event":"single_push","ts":1777636800.04}]"#,
            method: "NotifyEvent"),
        notification(#""ts":1777636800.04,"temperature:100":{"id":100}"#),
        notification(#""ts":1777636800.04,"temperature:100":{"id":100,"tC":null,"tF":null}"#),
    ])
    func passesOverWhatIsNoWater(_ text: String) throws {
        #expect(try read(text).moments.isEmpty)
        #expect(try read(text, probe: Self.first).moments.isEmpty)
    }

    /// Until the device knows the time it sends `null`, or counts from its start.
    @Test(
        arguments: [
            ("1777636800", .at(.noon)), ("1777636800.0", .at(.noon)), ("null", .receipt),
            ("0", .at(Timestamp(unixSeconds: Int64(0)))), ("12.5", StatedTime(epoch: 12.5)), ("1e300", .unreadable),
        ] as [(String, StatedTime)])
    func theTimeIsTheNotifications(_ ts: String, _ meaning: StatedTime) throws {
        let message = try read(Self.notification(#""ts":\#(ts),"temperature:100":{"id":100,"tC":23.4}"#))
        #expect(message.moments.map(\.time) == [meaning])
        #expect(message.moments.map(\.readings) == [Readings([.temperature: 23.4])])
    }

    @Test(arguments: [
        #"{"id":100,"tC":null,"tF":null,"errors":["read"]}"#, #"{"errors":["out_of_range"],"id":100,"tC":23.4}"#,
        #"{"id":100,"errors":["read"]}"#, #"{"id":100,"tC":-127.0}"#, #"{"id":100,"tC":85}"#, #"{"id":100,"tC":999.0}"#,
        #"{"id":100,"tC":125.1}"#, #"{"id":100,"tC":nan}"#,
    ])
    func aProbeThatCannotBeReadIsToldOf(_ component: String) throws {
        for (text, subject) in [
            (Self.notification(#""ts":1777636800.04,"temperature:100":\#(component)"#), .shellyEvents),
            (component, Topic.Subject.shellyStatus(Self.first)),
        ] {
            let message = try read(text, on: subject)
            #expect(message.moments.map(\.readings) == [Readings()])
            #expect(message.moments.map(\.reasons) == [[.probeFault]])
        }
    }

    @Test func noErrorIsNoFault() throws {
        let message = try read(#"{"id":100,"tC":4.1,"errors":[]}"#, on: .shellyStatus(Self.first))
        #expect(message.moments.map(\.readings) == [Readings([.temperature: 4.1])])
        #expect(message.moments.map(\.time) == [.receipt])
    }

    /// A notification contains changes only: another probe's change says nothing about the water's.
    @Test func whatAnotherProbeSaysIsNotedAlone() throws {
        let changed = Self.notification(#""ts":1777636800.04,"temperature:101":{"id":101,"tC":19.3,"tF":66.7}"#)
        for (text, subject) in [
            (changed, Topic.Subject.shellyEvents), (#"{"id":101,"tC":19.3,"tF":66.7}"#, .shellyStatus(Self.second)),
        ] {
            let message = try read(text, on: subject, probe: Self.first)
            #expect(message.moments.isEmpty)
            #expect(message.probe == Self.first)
            #expect(message.reports == [ProbeReport(probe: Self.second, temperature: 19.3)])
        }
        #expect(try read(#"{"id":0,"output":true}"#, on: .shellyStatus(nil), probe: Self.first).moments.isEmpty)
        let gone = Self.notification(#""temperature:101":{"id":101,"tC":19.3}"#, method: "NotifyFullStatus")
        #expect(try read(gone, probe: Self.first).moments.map(\.reasons) == [[.otherProbe]], "all that there are")
    }

    @Test func aDeviceWithOneProbeReportsNone() throws {
        let alone = #"{"id":100,"tC":23.4,"tF":74.1}"#
        #expect(try read(alone, on: .shellyStatus(Self.first), probe: Self.first).reports.isEmpty)
        #expect(try read(alone, on: .shellyStatus(Self.first), probe: Self.first, hasOthers: true).reports.count == 1)
    }

    // MARK: The first generation

    private static let both =
        #"{"0":{"hwID":"28ff641e8216031d","tC":22.5,"tF":72.5},"1":{"hwID":"28FF0A5B82160475","tC":19.2,"tF":66.5}}"#

    @Test func theAddressNamesTheProbe() throws {
        let message = try read(Self.both, on: .shellyTemperatures)
        #expect(message.moments.map(\.readings) == [Readings([.temperature: 22.5])])
        #expect(message.moments.map(\.time) == [.receipt])
        #expect(message.probe == Self.water)
        #expect(message.reports.map(\.probe) == [Self.water, Self.room])
        let other = try read(Self.both, on: .shellyTemperatures, probe: Self.room)
        #expect(other.moments.map(\.readings) == [Readings([.temperature: 19.2])])
        let renumbered = #"{"0":{"hwID":"28FF0A5B82160475","tC":19.2,"tF":66.5}}"#
        let message2 = try read(renumbered, on: .shellyTemperatures, probe: Self.water)
        #expect(message2.moments.map(\.reasons) == [[.otherProbe]])
        #expect(message2.reports == [ProbeReport(probe: Self.room, temperature: 19.2)])
    }

    @Test(arguments: ["999", "999.00", "1000", "-999", "-127", "85.0"]) func aProbeThatIsGoneIsTold(
        _ value: String
    ) throws {
        let text =
            #"{"0":{"hwID":"28FF641E8216031D","tC":\#(value),"tF":1830.2},"1":{"hwID":"28FF0A5B82160475","tC":19.2}}"#
        let message = try read(text, on: .shellyTemperatures, probe: Self.water)
        #expect(message.moments.map(\.readings) == [Readings()])
        #expect(message.moments.map(\.reasons) == [[.probeFault]])
        #expect(message.reports == [ProbeReport(probe: Self.water), ProbeReport(probe: Self.room, temperature: 19.2)])
    }

    @Test func noProbesAreNoFault() throws {
        #expect(try read("{}", on: .shellyTemperatures).moments.isEmpty)
        #expect(try read(#"{"0":null}"#, on: .shellyTemperatures).moments.isEmpty)
    }

    @Test func aShortedLineIsNoWater() throws {
        let text = #"{"0":{"hwID":"28FF641E8216031D","tC":0.0},"1":{"hwID":"28FF0A5B82160475","tC":0}}"#
        #expect(try read(text, on: .shellyTemperatures).moments.map(\.reasons) == [[.probeFault]])
    }

    // MARK: Unreadable messages

    @Test(
        arguments: [
            ("", .shellyEvents), ("[]", .shellyEvents), ("{}", .shellyEvents), (#"{"params":[]}"#, .shellyEvents),
            (#"{"method":"NotifyStatus","params":{"ts":1}"#, .shellyEvents), (whole + "x", .shellyEvents),
            ("23.4", .shellyStatus(first)), ("null", .shellyStatus(first)), ("[]", .shellyTemperatures),
            (#"{"0":{"hwID":"28FF641E8216031D","tC":}}"#, .shellyTemperatures),
        ] as [(String, Topic.Subject)])
    func whatIsNoStatusIsRefused(_ text: String, _ subject: Topic.Subject) {
        #expect(throws: RejectReason.malformed) { try read(text, on: subject) }
    }

    @Test(
        arguments: [("true", true), ("false", false), ("online", nil), ("True", nil), ("", nil)] as [(String, Bool?)])
    func theWillSaysWhetherItIsConnected(_ text: String, _ isOnline: Bool?) {
        #expect(Availability(Array(text.utf8), on: .shellyOnline)?.isOnline == isOnline)
    }

    // MARK: Any components

    /// A component that a device may have, and its meaning for the water.
    private struct Component {
        var name: String
        var text: String
        /// A probe's value, or whether it is broken.
        var value: Double?
        var isBroken = false

        init(_ number: Int, using generator: inout SeededGenerator) {
            name = "temperature:\(number)"
            let measured = Double(Int.random(in: -50...400, using: &generator)) / 10
            switch Int.random(in: 0..<6, using: &generator) {
            case 0:
                text = #"{"id":\#(number),"tC":null,"tF":null,"errors":["read"]}"#
                isBroken = true
            case 1:
                text = #"{"tC":\#(Bool.random(using: &generator) ? 999 : -127),"id":\#(number)}"#
                isBroken = true
            case 2: text = #"{"id":\#(number),"tC":null}"#
            default:
                text = #"{"id":\#(number),"tF":\#(measured * 1.8 + 32),"tC":\#(measured)}"#
                value = measured
            }
        }

        init(other name: String, using generator: inout SeededGenerator) {
            self.name = name
            text =
                #"{"id":0,"tC":\#(Int.random(in: 1...60, using: &generator)),"temperature":{"tC":51.5},"errors":["read"]}"#
        }
    }

    /// In any mixture of components, in any order, the water's value is the known probe's, or else that of the add-on's
    /// first.
    @Test func onlyTheKnownProbeIsEverWater() throws {
        var generator = SeededGenerator(seed: 32)
        var (values, faults, silences) = (0, 0, 0)
        for _ in 0..<3_000 {
            let numbers = (100...104).filter { _ in Bool.random(using: &generator) }.shuffled(using: &generator)
            let probes = numbers.map { Component($0, using: &generator) }
            let others = [
                "temperature:0", "temperature:99", "switch:0", "voltmeter:100", "humidity:100", "temperature:200",
                "input:101",
            ]
            .filter { _ in Bool.random(using: &generator) }.map { Component(other: $0, using: &generator) }
            let all = (probes + others).shuffled(using: &generator)
            let known = Bool.random(using: &generator) ? Int.random(in: 100...104, using: &generator) : nil
            let status = (["\"ts\":1777636800.5"] + all.map { #""\#($0.name)":\#($0.text)"# }).joined(separator: ",")
            let message = try read(Self.notification(status), probe: known.flatMap { ProbeID("\($0)") })

            let name = known.map { "temperature:\($0)" }
            let ofWater = all.first { component in
                name.map { component.name == $0 } ?? probes.contains { $0.name == component.name }
            }
            // Several probes that all report 0 °C are on a shorted line.
            let isShorted = probes.count > 1 && probes.allSatisfy { $0.value == 0 }
            let isBroken = ofWater.map { $0.isBroken || ($0.value != nil && isShorted) } ?? false
            let value = isBroken ? nil : ofWater?.value
            #expect(message.moments.compactMap { $0.readings[.temperature] } == value.map { [Float($0)] } ?? [])
            #expect(message.moments.flatMap(\.reasons) == (isBroken ? [.probeFault] : []))
            #expect(message.moments.isEmpty == (value == nil && !isBroken))
            #expect(Set(message.reports.map(\.probe.text)).isSubset(of: Set(numbers.map { "\($0)" })))
            if value != nil { values += 1 } else if isBroken { faults += 1 } else { silences += 1 }
        }
        #expect(min(values, faults, silences) > 300)
    }
}
