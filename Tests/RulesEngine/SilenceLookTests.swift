import Instants
import Store
import Testing
import WaterQuality

@testable import RulesEngine

/// What a look at a device finds, as minutes after a time. The device sends temperature and pH once a minute.
@Suite struct SilenceLookTests {
    private static let device = DeviceKey(slot: Slot.all[5], device: Device.ID(rawValue: 7))
    private static let both: ParameterSet = [ParameterSet(.temperature), ParameterSet(.ph)]
    private static let ph = ProbeKey(device: device, parameter: .ph)

    private static func minute(_ number: Int) -> Timestamp { Timestamp(microseconds: 0) + .seconds(60 * number) }

    /// - Parameter heard: The minute of its last reading.
    private func look(
        at now: Int, heard: Int, since listening: Int = 0, lately: ParameterSet = ParameterSet(.temperature),
        isOpen: Bool = false, open: ParameterSet = [], broken: ParameterSet = []
    ) -> SilenceLook {
        SilenceLook(
            TakeSilenceChecks.Row(
                device: Self.device, heardAt: Self.minute(heard), usualMicroseconds: 60_000_000, lately: lately,
                expected: Self.both, isConnected: false, isSomebodys: true, hasOpenSilence: isOpen,
                openParameters: open, brokenProbes: broken),
            listeningSince: Self.minute(listening), now: Self.minute(now), policy: AlertPolicy())
    }

    private func rhythm(
        heard: Int?, usual: Int64? = 60_000_000, missing: Int32, since: Int?
    ) -> ReadParameterRhythms.Row {
        ReadParameterRhythms.Row(
            key: Self.ph, heardAt: heard.map(Self.minute), usualMicroseconds: usual, missing: missing,
            missingSince: since.map(Self.minute))
    }

    @Test func whatCameLatelyIsNotSuspected() {
        let look = look(at: 60, heard: 60, lately: Self.both)
        #expect(look.suspects == [] && look.findings.isEmpty)
        #expect(look.dueAt == Self.minute(65))
    }

    /// One trouble is told once.
    @Test func aBrokenProbeIsNotMissedAsWell() {
        #expect(look(at: 60, heard: 60, broken: ParameterSet(.ph)).suspects == [])
        #expect(look(at: 60, heard: 60, broken: ParameterSet(.temperature)).suspects == [Self.ph])
        #expect(look(at: 60, heard: 60, open: ParameterSet(.ph), broken: ParameterSet(.ph)).suspects == [Self.ph])
    }

    @Test func newParametersAreLearnt() {
        let look = look(at: 60, heard: 60, lately: [Self.both, ParameterSet(.salinity)])
        #expect(look.expected.parameters == [.temperature, .ph, .salinity])
    }

    /// Oxygen saturation comes and goes with oxygen and temperature: whoever is told of the probe need not be told of both.
    @Test func whatIsComputedIsNotMissedBesideItsInputs() {
        let inputs: ParameterSet = [ParameterSet(.dissolvedOxygen), ParameterSet(.temperature)]
        let computed = ParameterSet(.oxygenSaturation)
        func suspects(_ expected: ParameterSet, lately: ParameterSet) -> [Parameter] {
            SilenceLook(
                TakeSilenceChecks.Row(
                    device: Self.device, heardAt: Self.minute(60), usualMicroseconds: 60_000_000, lately: lately,
                    expected: expected, isConnected: true, isSomebodys: true, hasOpenSilence: false, openParameters: []),
                listeningSince: Self.minute(0), now: Self.minute(60), policy: AlertPolicy()
            ).suspects.compactMap(\.parameter)
        }
        #expect(suspects([inputs, computed], lately: inputs) == [], "the water is beyond the formula")
        #expect(suspects([inputs, computed], lately: ParameterSet(.temperature)) == [.dissolvedOxygen])
        #expect(suspects([computed, ParameterSet(.ph)], lately: ParameterSet(.ph)) == [.oxygenSaturation], "measured")
    }

    @Test func aParameterThatStopsIsMissedAfterFiveMinutes() {
        var late = look(at: 60, heard: 60)
        #expect(late.suspects == [Self.ph])
        late.judge(.ph, rhythm(heard: 54, missing: 6, since: 55))
        #expect(
            late.findings == [
                Self.ph: SilenceLook.Finding(hearing: .silent, heardAt: Self.minute(54), checkProbe: true)
            ])
        #expect(late.expected == Self.both)
        #expect(late.dueAt == Self.minute(60) + .seconds(15))

        var early = look(at: 60, heard: 60)
        early.judge(.ph, rhythm(heard: 56, missing: 4, since: 57))
        #expect(early.findings.isEmpty)
        #expect(early.dueAt == Self.minute(62), "as soon as it can be missed")
    }

    /// While the whole device was away, its pH probe was not missing.
    @Test func aDeviceThatWasAwayIsGivenTime() {
        var back = look(at: 60, heard: 60)
        back.judge(.ph, rhythm(heard: 10, missing: 4, since: 57))
        #expect(back.findings.isEmpty)
        var later = look(at: 62, heard: 62)
        later.judge(.ph, rhythm(heard: 10, missing: 6, since: 57))
        #expect(later.findings[Self.ph]?.hearing == .silent)
    }

    @Test func weAreGivenTimeToo() {
        var look = look(at: 60, heard: 60, since: 57)
        look.judge(.ph, rhythm(heard: 10, missing: 50, since: 11))
        #expect(look.findings.isEmpty)
    }

    /// The readings right after a start may lack what takes time to warm up.
    @Test func twoReadingsWithoutItSayNothing() {
        var two = look(at: 60, heard: 60)
        two.judge(.ph, rhythm(heard: 10, missing: 2, since: 11))
        #expect(two.findings.isEmpty)
        #expect(two.dueAt == Self.minute(60) + .seconds(15))
        var three = look(at: 60, heard: 60)
        three.judge(.ph, rhythm(heard: 10, missing: 3, since: 11))
        #expect(three.findings.count == 1)
    }

    @Test func whatCameSeldomIsNotMissed() {
        var look = look(at: 60, heard: 60)
        look.judge(.ph, rhythm(heard: 10, usual: nil, missing: 50, since: 11))
        #expect(look.findings.isEmpty)
        #expect(look.expected == ParameterSet(.temperature), "it is no longer asked for")
        #expect(look.dueAt == Self.minute(65))
    }

    /// The last 2,000 readings lack it: it is as silent as before.
    @Test func whatIsMissedForLongStaysMissed() {
        var look = look(at: 60, heard: 60, open: ParameterSet(.ph))
        #expect(look.suspects == [Self.ph])
        look.judge(.ph, rhythm(heard: nil, usual: nil, missing: 0, since: nil))
        #expect(
            look.findings == [Self.ph: SilenceLook.Finding(hearing: .silent, heardAt: nil, checkProbe: true)])
        #expect(look.dueAt == Self.minute(61))
    }

    @Test func whatIsMissedIsLookedAtWhenItComesBack() {
        var look = look(at: 60, heard: 60, lately: Self.both, open: ParameterSet(.ph))
        #expect(look.suspects == [Self.ph])
        look.judge(.ph, rhythm(heard: 60, missing: 0, since: nil))
        #expect(look.findings[Self.ph]?.hearing == .heard)
    }

    @Test func aSilentDeviceMissesNoParameter() {
        let silent = look(at: 60, heard: 50, open: ParameterSet(.ph))
        #expect(silent.suspects == [])
        #expect(
            silent.findings == [
                ProbeKey(device: Self.device): SilenceLook.Finding(
                    hearing: .silent, heardAt: Self.minute(50), checkProbe: false)
            ])
        let back = look(at: 60, heard: 60, isOpen: true)
        #expect(back.findings.count == 1 && back.suspects == [Self.ph])
    }
}
