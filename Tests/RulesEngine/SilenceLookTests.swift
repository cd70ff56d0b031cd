import Instants
import Store
import Testing
import WaterQuality

@testable import RulesEngine

/// The findings of a look at a device, in minutes after a time. The device sends temperature and pH once a minute.
@Suite struct SilenceLookTests {
    private static let device = DeviceKey(slot: Slot.all[5], device: Device.ID(rawValue: 7))
    private static let both: ParameterSet = [ParameterSet(.temperature), ParameterSet(.ph)]
    private static let ph = ProbeKey(device: device, parameter: .ph)

    private static func minute(_ number: Int) -> Timestamp { Timestamp(microseconds: 0) + .seconds(60 * number) }

    /// An hour of readings, once a minute.
    private static func finding(until last: Int, readings: Int = 60) -> Rhythm.Finding {
        Rhythm.Finding(first: minute(last - 60), last: minute(last), readings: readings)
    }

    /// - Parameter heard: The minute of the last reading.
    private func look(
        at now: Int, heard: Int, since listening: Int = 0, lately: ParameterSet = ParameterSet(.temperature),
        isOpen: Bool = false, open: ParameterSet = [], broken: ParameterSet = [], probeHeard: Int? = nil,
        another: Int? = nil
    ) -> SilenceLook {
        SilenceLook(
            TakeSilenceChecks.Row(
                device: Self.device, heard: Self.finding(until: heard), probeHeardAt: probeHeard.map(Self.minute),
                lately: lately, expected: Self.both, isConnected: false, isSomebodys: true, hasOpenSilence: isOpen,
                openParameters: open, brokenProbes: broken, anotherProbeAt: another.map(Self.minute)),
            listeningSince: Self.minute(listening), now: Self.minute(now), policy: AlertPolicy())
    }

    private func pauses(
        of key: ProbeKey = ph, heard: Int?, readings: Int = 60, missing: Int32, since: Int?
    ) -> ReadParameterPauses.Row {
        ReadParameterPauses.Row(
            key: key, heard: heard.map { Self.finding(until: $0, readings: readings) }, missing: missing,
            missingSince: since.map(Self.minute))
    }

    @Test func whatCameLatelyIsNotSuspected() {
        let look = look(at: 60, heard: 60, lately: Self.both)
        #expect(look.suspects.isEmpty && look.findings.isEmpty)
        #expect(look.dueAt == Self.minute(65))
    }

    /// One trouble alerts once.
    @Test func aBrokenProbeIsNotMissedAsWell() {
        #expect(look(at: 60, heard: 60, broken: ParameterSet(.ph)).suspects.isEmpty)
        #expect(look(at: 60, heard: 60, broken: ParameterSet(.temperature)).suspects.map(\.key) == [Self.ph])
        #expect(
            look(at: 60, heard: 60, open: ParameterSet(.ph), broken: ParameterSet(.ph)).suspects.map(\.key) == [Self.ph]
        )
    }

    @Test func newParametersAreLearnt() {
        let look = look(at: 60, heard: 60, lately: [Self.both, ParameterSet(.salinity)])
        #expect(look.expected.parameters == [.temperature, .ph, .salinity])
    }

    /// Oxygen saturation comes and goes with oxygen and temperature: one alert about the probe is enough.
    @Test func whatIsComputedIsNotMissedBesideItsInputs() {
        let inputs: ParameterSet = [ParameterSet(.dissolvedOxygen), ParameterSet(.temperature)]
        let computed = ParameterSet(.oxygenSaturation)
        func suspects(_ expected: ParameterSet, lately: ParameterSet) -> [Parameter] {
            SilenceLook(
                TakeSilenceChecks.Row(
                    device: Self.device, heard: Self.finding(until: 60), lately: lately,
                    expected: expected, isConnected: true, isSomebodys: true, hasOpenSilence: false, openParameters: []),
                listeningSince: Self.minute(0), now: Self.minute(60), policy: AlertPolicy()
            ).suspects.compactMap(\.key.parameter)
        }
        #expect(suspects([inputs, computed], lately: inputs) == [], "the water is beyond the formula")
        #expect(suspects([inputs, computed], lately: ParameterSet(.temperature)) == [.dissolvedOxygen])
        #expect(suspects([computed, ParameterSet(.ph)], lately: ParameterSet(.ph)) == [.oxygenSaturation], "measured")
    }

    @Test func aParameterThatStopsIsMissedAfterFiveMinutes() {
        var late = look(at: 60, heard: 60)
        #expect(late.suspects.map(\.key) == [Self.ph])
        late.judge(.ph, pauses(heard: 54, missing: 6, since: 55))
        #expect(
            late.findings == [
                Self.ph: SilenceLook.Finding(hearing: .silent, heardAt: Self.minute(54), checkProbe: true)
            ])
        #expect(late.expected == Self.both)
        #expect(late.dueAt == Self.minute(60) + .seconds(15))

        var early = look(at: 60, heard: 60)
        early.judge(.ph, pauses(heard: 56, missing: 4, since: 57))
        #expect(early.findings.isEmpty)
        #expect(early.dueAt == Self.minute(62), "as soon as it can be missed")
    }

    /// While the whole device was away, its pH probe was not missing.
    @Test func aDeviceThatWasAwayIsGivenTime() {
        var back = look(at: 60, heard: 60)
        back.judge(.ph, pauses(heard: 10, missing: 4, since: 57))
        #expect(back.findings.isEmpty)
        var later = look(at: 62, heard: 62)
        later.judge(.ph, pauses(heard: 10, missing: 6, since: 57))
        #expect(later.findings[Self.ph]?.hearing == .silent)
    }

    @Test func weAreGivenTimeToo() {
        var look = look(at: 60, heard: 60, since: 57)
        look.judge(.ph, pauses(heard: 10, missing: 50, since: 11))
        #expect(look.findings.isEmpty)
    }

    /// The readings right after a start may lack a parameter whose probe warms up.
    @Test func twoReadingsWithoutItSayNothing() {
        var two = look(at: 60, heard: 60)
        two.judge(.ph, pauses(heard: 10, missing: 2, since: 11))
        #expect(two.findings.isEmpty)
        #expect(two.dueAt == Self.minute(60) + .seconds(15))
        var three = look(at: 60, heard: 60)
        three.judge(.ph, pauses(heard: 10, missing: 3, since: 11))
        #expect(three.findings.count == 1)
    }

    @Test func whatCameSeldomIsNotMissed() {
        var look = look(at: 60, heard: 60)
        look.judge(.ph, pauses(heard: 10, readings: 16, missing: 50, since: 11))
        #expect(look.findings.isEmpty)
        #expect(look.expected == ParameterSet(.temperature), "it is no longer asked for")
        #expect(look.dueAt == Self.minute(65))
    }

    /// The last 2,000 readings lack it: it is as silent as before.
    @Test func whatIsMissedForLongStaysMissed() {
        var look = look(at: 60, heard: 60, open: ParameterSet(.ph))
        #expect(look.suspects.map(\.key) == [Self.ph])
        look.judge(.ph, pauses(heard: nil, missing: 0, since: nil))
        #expect(
            look.findings == [Self.ph: SilenceLook.Finding(hearing: .silent, heardAt: nil, checkProbe: true)])
        #expect(look.dueAt == Self.minute(61))
    }

    @Test func whatIsMissedIsLookedAtWhenItComesBack() {
        var look = look(at: 60, heard: 60, lately: Self.both, open: ParameterSet(.ph))
        #expect(look.suspects.map(\.key) == [Self.ph])
        look.judge(.ph, pauses(heard: 60, missing: 0, since: nil))
        #expect(look.findings[Self.ph]?.hearing == .heard)
    }

    @Test func aSilentDeviceMissesNoParameter() {
        let silent = look(at: 60, heard: 50, open: ParameterSet(.ph))
        #expect(silent.suspects.isEmpty)
        #expect(
            silent.findings == [
                ProbeKey(device: Self.device): SilenceLook.Finding(
                    hearing: .silent, heardAt: Self.minute(50), checkProbe: false)
            ])
        let back = look(at: 60, heard: 60, isOpen: true)
        #expect(back.findings.count == 1 && back.suspects.map(\.key) == [Self.ph])
    }

    /// A probe that measures other water counts as heard, although none of its readings is of this water.
    @Test func aReplacedProbeIsToldAsThat() {
        let temperature = ProbeKey(device: Self.device, parameter: .temperature)
        var look = look(at: 70, heard: 60, lately: Self.both, probeHeard: 70, another: 69)
        #expect(look.findings.isEmpty, "the device itself is not silent")
        #expect(look.suspects.map(\.key) == [temperature])
        look.judge(.temperature, pauses(of: temperature, heard: 60, readings: 5, missing: 0, since: nil))
        #expect(
            look.findings == [
                temperature: SilenceLook.Finding(hearing: .silent, heardAt: Self.minute(60), checkProbe: false)
            ])
        var back = self.look(at: 70, heard: 70, lately: ParameterSet(.ph), another: 50)
        back.judge(.temperature, pauses(of: temperature, heard: 60, missing: 10, since: 61))
        #expect(back.findings[temperature]?.checkProbe == true, "the other one was heard before it")
    }

    /// A device may become quick again by the next look, whatever was learnt about its pauses in a night.
    @Test func aSlowDeviceIsLookedAtFourTimesAnHour() {
        let pauses = (1...10).map { Rhythm.Pause(from: Self.minute(($0 - 1) * 60), until: Self.minute($0 * 60)) }
        let slow = Rhythm.Finding(first: Self.minute(0), last: Self.minute(600), readings: 11, pauses: pauses)
        let look = SilenceLook(
            TakeSilenceChecks.Row(
                device: Self.device, heard: slow, lately: ParameterSet(.ph), expected: ParameterSet(.ph),
                isConnected: true, isSomebodys: true, hasOpenSilence: false, openParameters: []),
            listeningSince: Self.minute(0), now: Self.minute(700), policy: AlertPolicy())
        #expect(look.findings.isEmpty)
        #expect(look.dueAt == Self.minute(715))
        #expect(look.check.rhythms[nil]?.pauses.count == 10)
        #expect(look.check.rhythms[nil]?.until == Self.minute(600))
    }

    /// Only one reading is known of a device linked a moment ago: it has three hours, and is looked at meanwhile.
    @Test func aNewDeviceIsLookedForFromItsFirstReadingOn() {
        func look(at now: Int) -> SilenceLook {
            SilenceLook(
                TakeSilenceChecks.Row(
                    device: Self.device,
                    heard: Rhythm.Finding(first: Self.minute(0), last: Self.minute(0), readings: 1),
                    lately: ParameterSet(.ph), expected: [], isConnected: true, isSomebodys: true,
                    hasOpenSilence: false,
                    openParameters: []),
                listeningSince: Self.minute(-600), now: Self.minute(now), policy: AlertPolicy())
        }
        #expect(look(at: 10).findings.isEmpty && look(at: 10).dueAt == Self.minute(15))
        #expect(look(at: 179).findings.isEmpty && look(at: 179).dueAt == Self.minute(180))
        #expect(look(at: 180).findings.values.first?.hearing == .silent)
    }
}
