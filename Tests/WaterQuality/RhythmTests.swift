import Glibc
import Instants
import TestSupport
import Testing
import WaterQuality

/// The learnt pauses of a device. Times are seconds after a fixed time.
@Suite struct RhythmTests {
    private static let policy = AlertPolicy()
    private static let least = 300
    private static let day = 86_400

    private static func time(_ second: Int) -> Timestamp {
        Timestamp(unixSeconds: Int64(1_777_636_800)) + .seconds(second)
    }

    /// A device whose readings are examined as they arrive, always before the next pause could count as a silence.
    private struct Device {
        private(set) var rhythm: Rhythm?
        private(set) var last = 0
        private var readings = 0
        private var unseen: [Rhythm.Pause] = []
        /// False silences: the last reading before each, and its length.
        private(set) var wrong: [(after: Int, length: Int)] = []

        mutating func send(at second: Int) {
            defer {
                last = second
                readings += 1
            }
            guard readings > 0 else { return look(at: second) }
            let pause = Rhythm.Pause(from: time(last), until: time(second))
            if pause.length >= policy.silenceAfter, pause.length >= .seconds(allowance) {
                wrong.append((last, second - last))
            }
            if pause.length >= Hearing.shortestPause(policy.silenceAfter) { unseen.append(pause) }
            if readings < 3 || !unseen.isEmpty { look(at: second) }
        }

        private mutating func look(at second: Int) {
            let finding = Rhythm.Finding(
                first: time(readings == 0 ? second : last), last: time(second), readings: min(readings + 1, 17),
                pauses: unseen)
            unseen = []
            if rhythm == nil { rhythm = Rhythm(finding) }
            rhythm?.learn(finding, listeningSince: .distantPast)
        }

        /// The allowance after the last reading, in seconds.
        var allowance: Int { Int((rhythm?.allowance(after: time(last), policy).length ?? .zero) / .seconds(1)) }

        func wrong(since second: Int) -> Int { wrong.count { $0.after >= second } }
    }

    private static func device(_ times: some Sequence<Int>) -> Device {
        var device = Device()
        for time in times { device.send(at: time) }
        return device
    }

    // MARK: Patterns

    /// Devices that wake at intervals, send some readings, and sleep.
    @Test(arguments: 0..<100) func whoWakesAndSleepsIsLearntInThreeCycles(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let period = Int(120 * exp2(Double.random(in: 0...10, using: &random)))
        let spacing = Int.random(in: 5...60, using: &random)
        let burst = Int.random(in: 1...max(1, min(20, period * 3 / 4 / spacing)), using: &random)
        let jitter = Int.random(in: 0...max(1, period / 30), using: &random)
        var device = Device()
        let cycles = min(300, max(12, 5 * Self.day / period))
        for cycle in 0..<cycles {
            let begin = cycle * period + (cycle == 0 ? 0 : Int.random(in: 0...jitter, using: &random))
            for reading in 0..<burst { device.send(at: begin + reading * spacing) }
        }
        let longest = period + jitter - (burst - 1) * spacing
        #expect(device.wrong(since: 3 * period) == 0, "every \(period) s \(burst) x \(spacing) s: \(device.wrong)")
        // A silence after the last reading is still detected.
        #expect(device.allowance <= max(Self.least, 3 * longest) || cycles * period < 3 * longest)
        #expect(device.allowance >= longest)
    }

    /// A device that reports changes has pauses of very different lengths; the longest recurs.
    @Test(arguments: 0..<30) func whoReportsChangesIsLearntInThreeCycles(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let longest = Int(400 * exp2(Double.random(in: 0...6, using: &random)))
        var (device, now, known) = (Device(), 0, Int.max)
        for cycle in 0..<40 {
            for _ in 0..<Int.random(in: 3...30, using: &random) {
                device.send(at: now)
                now += max(5, Int(Double(longest) / exp2(Double.random(in: 0.5...6, using: &random))))
            }
            device.send(at: now)
            now += longest
            if cycle == 2 { known = now }
        }
        device.send(at: now)
        #expect(device.wrong(since: known) == 0, "up to \(longest) s: \(device.wrong)")
        #expect(device.allowance <= 3 * longest)
    }

    /// By day the temperature changes every minute or two; in a calm night it may stay constant for two hours.
    @Test(arguments: 0..<10) func aSensorThatIsCalmAtNight(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var (device, now) = (Device(), 0)
        while now < 14 * Self.day {
            device.send(at: now)
            let isNight = now % Self.day > 16 * 3_600
            now += isNight ? Int.random(in: 600...7_200, using: &random) : Int.random(in: 20...150, using: &random)
        }
        #expect(device.wrong(since: 4 * Self.day) == 0, "\(device.wrong)")
    }

    /// A device that is switched off at night: a silence counts after minutes at noon, but only the next day in the
    /// evening.
    @Test func theHourOfTheDayCounts() {
        func heard(until end: Int) -> Device {
            Self.device(stride(from: 0, to: end, by: 30).filter { $0 % Self.day < 16 * 3_600 })
        }
        let evening = heard(until: 7 * Self.day + 16 * 3_600)
        #expect(evening.wrong(since: 3 * Self.day) == 0)
        #expect(evening.allowance > 8 * 3_600)
        #expect(heard(until: 7 * Self.day + 8 * 3_600).allowance == Self.least, "eight hours into its day")
    }

    // MARK: Changes

    @Test(arguments: [(3_600, 30), (900, 60), (600, 120), (7_200, 300)])
    func aFasterRhythmIsLearntInThreeOfTheSlower(slow: Int, fast: Int) {
        let times = Array(stride(from: 0, to: 40 * slow, by: slow))
        let faster = times + stride(from: 40 * slow, through: 44 * slow, by: fast)
        #expect(Self.device(times).allowance == 3 * slow)
        #expect(Self.device(faster).allowance <= max(Self.least, 3 * fast))
    }

    @Test(arguments: [(30, 3_600), (60, 900), (30, 1_200)]) func aSlowerRhythmIsLearntInThreeCycles(
        fast: Int, slow: Int
    ) {
        let begin = 3 * Self.day
        let times = Array(stride(from: 0, to: begin, by: fast)) + stride(from: begin, to: begin + 50 * slow, by: slow)
        let device = Self.device(times)
        #expect(device.wrong(since: begin + 3 * slow) == 0)
        #expect(device.wrong.count == (3 * slow > Self.least ? 3 : 0), "it was out of the ordinary, three times")
        #expect(device.allowance == 3 * slow)
    }

    /// One long pause may be an outage, and two a coincidence: rare outages do not lengthen the allowance.
    @Test func outagesAreNoRhythm() {
        let off = [100_000..<103_600, 400_000..<404_000, 700_000..<720_000, 1_200_000..<1_203_000]
        let times = stride(from: 0, to: 20 * Self.day, by: 30).filter { time in !off.contains { $0.contains(time) } }
        #expect(Self.device(times).allowance == Self.least)
        #expect(Self.device(times).wrong.count == 4)
    }

    // MARK: Little data

    /// A new device may sleep: until it has sent for five minutes, its allowance is three hours.
    @Test func aNewDeviceIsGivenThreeHours() {
        #expect(Self.device([0]).allowance == 3 * 3_600)
        #expect(Self.device([0, 20, 40]).allowance == 3 * 3_600, "three readings, and then it sleeps")
        #expect(Self.device(stride(from: 0, through: 270, by: 30)).allowance == 3 * 3_600)
        #expect(Self.device(stride(from: 0, through: 300, by: 30)).allowance == Self.least)
        #expect(Self.device([0, 20, 40, 18_000, 18_020]).allowance == 3 * (18_000 - 40), "the one pause that is known")
    }

    @Test func whatWasGatheredForADayIsWaitedForForThree() {
        let rhythm = Rhythm(
            Rhythm.Finding(
                first: Self.time(0), last: Self.time(2), readings: 300, gathered: .seconds(Self.day)))
        #expect(rhythm.allowance(after: Self.time(2), Self.policy).length == .seconds(3 * Self.day))
    }

    /// A pause while the server did not listen is not the device's.
    @Test func ourOutageIsNoPauseOfTheirs() throws {
        var rhythm = try #require(Self.device(stride(from: 0, through: 3_600, by: 30)).rhythm)
        for hour in [2, 10, 20, 30] {
            let end = hour * 3_600 + 7_200
            rhythm.learn(
                Rhythm.Finding(
                    first: Self.time(hour * 3_600), last: Self.time(end), readings: 17,
                    pauses: [.init(from: Self.time(hour * 3_600), until: Self.time(end))]),
                listeningSince: Self.time(end + 20))
        }
        #expect(rhythm.allowance(after: Self.time(140_000), Self.policy).length == .seconds(Self.least))
    }

    @Test(arguments: 0..<5) func littleIsKept(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var (device, now) = (Device(), 0)
        for _ in 0..<1_500 {
            device.send(at: now)
            now += Int(5 * exp2(Double.random(in: 0...14, using: &random)))
        }
        let rhythm = try #require(device.rhythm)
        #expect(rhythm.pauses.count < 180)
        #expect(rhythm.pauses.map(\.until) == rhythm.pauses.map(\.until).sorted())
    }
}
