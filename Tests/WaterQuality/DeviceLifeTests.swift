import Instants
import Testing
import Words

@testable import WaterQuality

/// Lives of devices: which words are believed, which ask for a hand, and which explain a silence.
@Suite struct DeviceLifeTests {
    private static let noon = Timestamp(unixSeconds: Int64(20_000 * 86_400 + 43_200))
    private static let today = CivilDay(noon)

    // MARK: Reports

    @Test func whatIsBeyondAnyValueIsPassedOver() {
        var said = LifeReport(.native)
        for percent in [-1, 100.5, .nan, .infinity] { said.keep(battery: percent) }
        for dBm in [0, 31, -128, .nan, -Double.infinity] { said.keep(signal: dBm) }
        for quality in [-1, 256, .nan] { said.keep(linkQuality: quality) }
        for seconds in [-1, 1e30, .nan] { said.keep(uptime: seconds) }
        for text in ["", " \u{7} ", "é"] { said.keep(version: text) }
        #expect(said.isEmpty)
        said.keep(battery: 0)
        said.keep(signal: -127)
        said.keep(uptime: 0)
        said.keep(reset: " Power\u{0}\n On \u{202E}")
        #expect(said.battery == 0 && said.signal == -127 && said.uptime == 0 && said.reset == "Power On")
        said.keep(version: String(repeating: "1.", count: 60))
        #expect(said.version?.utf8.count == LifeReport.longestText)
    }

    @Test func aLaterReportAddsAndOneOfOtherFirmwareReplaces() {
        var said = LifeReport(.tasmota)
        said.keep(version: "14.2.0(tasmota32)")
        said.keep(signal: -60)
        var later = LifeReport(.tasmota)
        later.keep(signal: -70)
        later.keep(uptime: 5)
        said.take(later)
        #expect(said.version == "14.2.0(tasmota32)" && said.signal == -70 && said.uptime == 5)
        var flashed = LifeReport(.esphome)
        flashed.keep(uptime: 1)
        said.take(flashed)
        #expect(said == flashed)
    }

    // MARK: Versions

    @Test(arguments: [
        ("1.7.2", "1.8.0"), ("1.9.0", "1.10.0"), ("v1.6.2", "1.8"), ("14.1.0(tasmota32)", "14.2.0(tasmota)"),
        ("20201124-091217/v1.9.0@57ac4ad8", "20220209-092750/v1.11.8-g8c7bb8d"),
        ("2025.12.7 (config hash 0x1)", "2026.4.1"), ("1.4.4-beta", "1.4.4.1"),
    ])
    func aVersionIsOlder(_ one: String, _ other: String) throws {
        let (older, newer) = (try #require(FirmwareVersion(one)), try #require(FirmwareVersion(other)))
        #expect(older < newer && !(newer < older))
    }

    @Test func whatHasNoNumbersIsNotCompared() throws {
        for text in ["", "beta", "7", "...", "20191217-140757/1047-long-id@a0661583", "1.99999999999999999999999"] {
            #expect(FirmwareVersion(text) == nil, "\(text)")
        }
        #expect(try #require(FirmwareVersion("1.8")) == #require(FirmwareVersion("v1.8.0")))
    }

    @Test func versionsAreComparedAmongDevicesOfOneFirmware() {
        let versions = FirmwareVersions([
            (.native, "1.8.0"), (.native, "1.6.2"), (.tasmota, "14.2.0"), (.zigbee2MQTT, "2.0"), (nil, "9.0"),
            (.native, "unknown"),
        ])
        #expect(versions.areNewer(than: "1.6.2", of: .native))
        #expect(!versions.areNewer(than: "1.8.0", of: .native) && !versions.areNewer(than: "1.9.0", of: .native))
        #expect(!versions.areNewer(than: "14.2.0", of: .tasmota), "the only one of its firmware")
        #expect(!versions.areNewer(than: "1.0", of: .zigbee2MQTT), "each maker numbers in its own way")
        #expect(!versions.areNewer(than: "1.0", of: .esphome) && !versions.areNewer(than: nil, of: .native))
        #expect(!versions.areNewer(than: "unknown", of: .native) && !versions.areNewer(than: "1.0", of: nil))
    }

    // MARK: The battery

    /// - Parameter charges: Of each day until today, the earliest first; nil where nothing was said.
    private func life(_ charges: [Float?], now charge: Float? = nil, at time: Timestamp = Self.noon) -> DeviceLife {
        let days = charges.enumerated().compactMap { index, value in
            value.map { DeviceLife.Day(Self.today + (index + 1 - charges.count), battery: $0) }
        }
        return DeviceLife(battery: (charge ?? charges.last ?? nil).map { .init($0, at: time) }, days: days)
    }

    @Test func daysAreCountedByAStraightLine() {
        #expect(life([80, 78, 76, 74, 72, 70, 68, 66]).daysLeft(now: Self.noon) == 33)
        #expect(life([20, nil, 16, 14, nil, 10, 8, 6]).daysLeft(now: Self.noon) == 3, "days are missing")
        #expect(life([4, 3.5, 3, 2.5, 2, 1.5, 1, 0.5], now: 0).daysLeft(now: Self.noon) == 0)
    }

    @Test(
        arguments: [
            [80, 78, 76, 74, 72, 70, 68],  // six days
            [80, nil, nil, nil, 72, nil, nil, 66],  // too few of them
            [70, 70, 70, 70, 70, 70, 70, 70], [60, 62, 64, 66, 68, 70, 72, 74],  // it does not fall
            [70, 69.99, 69.98, 69.97, 69.96, 69.95, 69.94, 69.93],  // for years
            [40, 35, 30, 25, 20, 15, 100, 98],  // charged
            [],
        ] as [[Float?]])
    func thereIsNoAnswer(_ charges: [Float?]) {
        #expect(life(charges).daysLeft(now: Self.noon) == nil)
    }

    @Test func aCourseBeginsAnewWithACharge() {
        #expect(life([9, 8, 7, 90, 88, 86, 84, 82, 80, 78, 76]).daysLeft(now: Self.noon) == 38)
        #expect(life([80, 78, 76, 74, 72, 70, 68, 66], now: 90).daysLeft(now: Self.noon) == nil, "charged today")
        let old = life([80, 78, 76, 74, 72, 70, 68, 66], at: Self.noon - .seconds(8 * 86_400))
        #expect(old.daysLeft(now: Self.noon) == nil, "nothing was said of it for a week")
    }

    @Test func aBatteryAsksForAHand() {
        #expect(life([15]).isBatteryLow(now: Self.noon) && !life([16]).isBatteryLow(now: Self.noon))
        #expect(life([90, 80, 70, 60, 50, 40, 30, 20]).isBatteryLow(now: Self.noon), "empty in two days")
        #expect(!life([]).isBatteryLow(now: Self.noon))
    }

    // MARK: Restarts

    private func restarting(_ restarts: [Int]) -> Int {
        DeviceLife(
            days: restarts.enumerated().map {
                .init(Self.today + ($0.offset + 1 - restarts.count), restarts: $0.element)
            }
        ).restartsADay(now: Self.noon)
    }

    @Test func restartsAreTheMeanOfAWeek() {
        #expect(restarting([5, 5, 5, 5, 5, 5, 5]) == 5 && restarting([3]) == 3)
        #expect(restarting([2, 2, 2]) == 0 && restarting([9, 0, 0, 0]) == 0 && restarting([]) == 0)
        #expect(restarting([90, 4, 4, 4, 4, 4, 4, 4]) == 4, "eight days ago")
    }

    // MARK: Silence

    private func hint(
        battery: (Float, Timestamp)? = nil, signal: (Int16, Timestamp)? = nil, _ days: [DeviceLife.Day] = []
    ) -> SilenceHint? {
        SilenceHint(
            DeviceLife(
                battery: battery.map { .init($0.0, at: $0.1) }, signal: signal.map { .init($0.0, at: $0.1) },
                days: days), heardAt: Self.noon)
    }

    private static let hourAgo = noon - .seconds(3_600)
    private static let weekAgo = noon - .seconds(7 * 86_400)

    @Test func theLikeliestExplanationIsTold() {
        let restarts = [DeviceLife.Day(Self.today, restarts: 5)]
        #expect(hint() == nil)
        #expect(hint(battery: (4.4, Self.hourAgo), signal: (-90, Self.hourAgo), restarts) == .battery(percent: 4))
        #expect(hint(battery: (15, Self.hourAgo)) == .battery(percent: 15))
        #expect(hint(battery: (16, Self.hourAgo)) == nil)
        #expect(hint(battery: (4, Self.weekAgo)) == nil, "of another battery, perhaps")
        #expect(hint(battery: (80, Self.hourAgo), signal: (-90, Self.hourAgo), restarts) == .restarts(aDay: 5))
        #expect(hint(signal: (-88, Self.hourAgo)) == .signal(dBm: -88))
        #expect(hint(signal: (-79, Self.hourAgo)) == nil && hint(signal: (-88, Self.weekAgo)) == nil)
    }

    @Test func theSignalWasWeakBeforeEachSilence() {
        func day(_ ago: Int, _ signal: Int16?, silences: Int = 1) -> DeviceLife.Day {
            .init(Self.today + -ago, signal: signal, silences: silences)
        }
        let now = (Int16(-88), Self.hourAgo)
        #expect(hint(signal: now, [day(3, -85), day(1, -81)]) == .signals(dBm: -88))
        #expect(hint(signal: now, [day(3, -85), day(2, -60, silences: 0)]) == .signals(dBm: -88), "a day without one")
        #expect(hint(signal: now, [day(3, -85), day(1, -70)]) == .signal(dBm: -88), "it was strong before one")
        #expect(hint(signal: now, [day(3, nil)]) == .signal(dBm: -88), "nobody knows")
        #expect(hint(signal: now, [day(0, -88)]) == .signal(dBm: -88), "this one alone")
        #expect(hint(signal: now, [day(14, -60)]) == .signal(dBm: -88), "too long ago to count against it")
    }

    /// A person who begins to watch is told nothing of before.
    @Test func nobodySeesWhatWasBeforeThem() {
        let life = DeviceLife(
            battery: .init(4, at: Self.hourAgo), signal: .init(-88, at: Self.weekAgo),
            days: (0..<3).map { .init(Self.today + -$0, restarts: 5) })
        #expect(life.seen(from: nil) == life && life.seen(from: Self.weekAgo) == life)
        let since = life.seen(from: Self.noon - .seconds(86_400))
        #expect(since.battery == life.battery && since.signal == nil)
        #expect(since.days.map(\.day) == [Self.today], "of yesterday a part was before")
        #expect(life.seen(from: Self.hourAgo) == DeviceLife(battery: life.battery))
        #expect(life.seen(from: Self.noon) == DeviceLife())
    }

    @Test(arguments: SilenceHint.Kind.allCases) func aHintComesBackAsItWasStored(_ kind: SilenceHint.Kind) {
        for number in [0, 4, -88] {
            let hint = SilenceHint(kind, number)
            #expect(SilenceHint(stored: hint.stored) == hint && hint.kind == kind && hint.number == number)
        }
    }

    @Test func whatIsStoredByANewerVersionIsNone() {
        for stored in ["", "battery", "battery x", "heat 4", "battery 4 5"] {
            #expect(SilenceHint(stored: stored) == nil)
        }
    }

    /// The sentence follows what to do, in an alarm and a reminder, and not where the silence is over.
    @Test func aSilenceSaysWhatExplainsIt() throws {
        let now = try #require(CivilTime(year: 2026, month: 5, day: 4, hour: 15, minute: 20))
        func body(_ purpose: Alert.Purpose, _ hint: SilenceHint?, _ language: Language = .en) -> String {
            let content = Alert.Content.silence(SilenceContent(parameter: nil, checkProbe: false, hint: hint))
            return Notice(deviceName: "Reef", purpose, content, since: now, at: now, now: now).message(in: language)
                .body
        }
        #expect(
            body(.alarm, .battery(percent: 4)) == body(.alarm, nil) + " The battery was at 4 % before it fell silent.")
        #expect(body(.reminder, .restarts(aDay: 5)).hasSuffix(" It has been restarting about 5 times a day."))
        #expect(
            body(.alarm, .signal(dBm: -88)).hasSuffix(" The signal was weak before it fell silent: \u{2212}88 dBm."))
        #expect(body(.recovery, .battery(percent: 4)) == body(.recovery, nil))
        for language in Language.allCases {
            for kind in SilenceHint.Kind.allCases {
                let text = SilenceHint(kind, 5).text(in: language)
                #expect(text.contains("5") && !text.contains("{") && text != "hint.\(kind.rawValue)")
            }
        }
    }
}
