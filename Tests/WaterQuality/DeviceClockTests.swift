import Instants
import TestSupport
import Testing
import WaterQuality

/// Findings about a device's clock from its messages.
@Suite struct DeviceClockTests {
    static let start = Timestamp(unixSeconds: Int64(1_777_636_800))
    static let nineHours = Duration.seconds(9 * 3_600)

    /// A device that sends each reading as soon as it is measured.
    struct Sender {
        var clock = DeviceClock()
        var now = DeviceClockTests.start

        /// - Parameters:
        ///   - behind: The lag of the device's clock.
        ///   - delay: How long the message takes to arrive.
        mutating func send(behind: Duration, delay: Duration = .zero, after interval: Duration = .seconds(30)) {
            now = now + interval
            clock.observe(now - behind - delay, receivedAt: now)
        }
    }

    @Test func aConstantLagIsProvenAfterFiveMinutes() {
        var sender = Sender()
        for _ in 0..<10 { sender.send(behind: Self.nineHours) }
        #expect(sender.clock.lag == .zero && sender.clock.finding == .unproven)
        sender.send(behind: Self.nineHours)
        #expect(sender.clock.lag == Self.nineHours && sender.clock.finding == .off(Self.nineHours))
    }

    @Test func aClockThatIsAheadIsProvenAsWell() {
        var sender = Sender()
        for _ in 0..<11 { sender.send(behind: .seconds(-240)) }
        #expect(sender.clock.finding == .off(.seconds(-240)))
    }

    @Test func rareMessagesProveItWithThree() {
        var sender = Sender()
        for _ in 0..<2 { sender.send(behind: Self.nineHours, after: .seconds(600)) }
        #expect(sender.clock.lag == .zero)
        sender.send(behind: Self.nineHours, after: .seconds(600))
        #expect(sender.clock.lag == Self.nineHours)
    }

    @Test func withinTwoMinutesItIsRight() {
        #expect(DeviceClock.isRight(at: Self.start, receivedAt: Self.start + .seconds(120)))
        #expect(DeviceClock.isRight(at: Self.start, receivedAt: Self.start - .seconds(120)))
        #expect(!DeviceClock.isRight(at: Self.start, receivedAt: Self.start + .seconds(121)))
        var sender = Sender()
        for _ in 0..<11 { sender.send(behind: .seconds(100)) }
        #expect(sender.clock.finding == .right)
    }

    /// A device that was away for an hour sends its stored readings at once. Its clock is not doubted.
    @Test func aBurstCastsNoDoubt() {
        var clock = DeviceClock()
        for second in 0..<30 {
            clock.observe(Self.start - .seconds(3_600 - 30 * second), receivedAt: Self.start + .seconds(second))
        }
        #expect(clock.finding == nil && clock.lag == .zero)
    }

    @Test func whatWasOfflineStaysOld() {
        var sender = Sender()
        for _ in 0..<11 { sender.send(behind: Self.nineHours) }
        // After two hours offline, the device sends the readings of that time.
        sender.now = sender.now + .seconds(7_200)
        sender.send(behind: Self.nineHours, delay: .seconds(7_200))
        #expect(sender.clock.lag == Self.nineHours, "the lag of the clock, not of the backlog")
    }

    @Test func aClockThatIsMendedFallsBackAtOnce() {
        var sender = Sender()
        for _ in 0..<11 { sender.send(behind: Self.nineHours) }
        sender.send(behind: .zero)
        #expect(sender.clock.lag == .zero)
        for _ in 0..<10 { sender.send(behind: .zero) }
        #expect(sender.clock.finding == .right)
    }

    /// Local time at the end and at the start of summer time: an hour less, an hour more.
    @Test(arguments: [-3_600, 3_600]) func summerTimeIsProvenAnew(shift: Int) {
        var sender = Sender()
        for _ in 0..<11 { sender.send(behind: Self.nineHours) }
        let behind = Self.nineHours + .seconds(shift)
        sender.send(behind: behind)
        #expect(sender.clock.lag == (shift < 0 ? .zero : Self.nineHours))
        for _ in 0..<10 { sender.send(behind: behind) }
        #expect(sender.clock.lag == behind)
    }

    /// A device whose newest earlier time is known, as in an engine.
    final class LiveDevice {
        var clock = DeviceClock()
        var now = DeviceClockTests.start
        private var newest: Timestamp?

        @discardableResult
        func send(_ time: Timestamp, receivedAt: Timestamp) -> Bool {
            let isStep = clock.observe(time, receivedAt: receivedAt, newest: newest)
            newest = max(newest ?? time, time)
            return isStep
        }

        @discardableResult
        func send(behind: Duration, after interval: Duration = .seconds(30)) -> Bool {
            now = now + interval
            return send(now - behind, receivedAt: now)
        }
    }

    /// The end of summer time for a device that prints local time; or a clock that was wrong before.
    @Test(arguments: [(3_600, 0), (150, 0), (3 * 86_400, 0), (12 * 3_600, 9 * 3_600)])
    func aClockThatIsPutBackIsAssumedAtOnce(seconds: Int, before: Int) {
        let device = LiveDevice()
        for _ in 0..<12 { device.send(behind: .seconds(before)) }
        #expect(device.clock.lag == .seconds(before))
        #expect(!device.send(behind: .seconds(seconds)), "it may be one that has waited")
        #expect(device.send(behind: .seconds(seconds)))
        #expect(device.clock.lag == .seconds(seconds) && device.clock.finding == .stepped(.seconds(seconds)))
        for _ in 0..<11 { #expect(!device.send(behind: .seconds(seconds)), "once") }
        #expect(device.clock.finding == .off(.seconds(seconds)), "it is proven")
        device.send(behind: .zero)
        #expect(device.clock.lag == .zero, "it was mended")
    }

    /// An engine that takes a device over remembers none of its messages. A message out of order soon after the last
    /// receipt is no step; after a pause it is one.
    @Test func whoTakesOverKnowsWhenTheDeviceWasHeard() {
        let (now, past) = (Self.start, Self.start - .seconds(600))
        func isStep(heard pause: Int64?) -> Bool {
            var clock = DeviceClock()
            return clock.observe(
                past - .seconds(5), receivedAt: now, newest: past, heardAt: pause.map { now - .seconds($0) })
        }
        #expect(!isStep(heard: 2) && !isStep(heard: 299))
        #expect(isStep(heard: 300) && isStep(heard: nil))
        // An engine that decides again remembers an old message.
        var clock = DeviceClock()
        clock.observe(past - .seconds(400), receivedAt: now - .seconds(500), newest: past - .seconds(430))
        let isStepAgain = clock.observe(past - .seconds(5), receivedAt: now, newest: past, heardAt: now - .seconds(2))
        #expect(!isStepAgain)
    }

    /// After a pause no other messages can be in between, so the first message already shows the step.
    @Test(arguments: [300, 900, 3_600]) func afterARestTheFirstMessageTells(interval: Int) {
        let device = LiveDevice()
        for _ in 0..<4 { device.send(behind: .zero, after: .seconds(interval)) }
        #expect(device.send(behind: .seconds(5_400), after: .seconds(interval)))
        #expect(device.clock.lag == .seconds(5_400))
    }

    /// Old readings sent between live ones, one by one or in a burst, are no step of the clock.
    @Test(arguments: [1, 7, 15]) func stragglersAreNoStep(offset: Int) {
        let device = LiveDevice()
        for number in 0..<200 {
            device.send(behind: .zero)
            let old = Self.start - .seconds(7_200 - 30 * number)
            #expect(!device.send(old, receivedAt: device.now + .seconds(offset)))
            #expect(device.clock.lag == .zero)
        }
        for number in 0..<200 {
            #expect(
                !device.send(Self.start - .seconds(20_000 - 30 * number), receivedAt: device.now + .seconds(number / 4))
            )
            #expect(device.clock.lag == .zero)
        }
    }

    /// An assumed step is dropped with the next message that contradicts it, and not assumed again for an hour.
    @Test func aStepThatIsNotBorneOutIsGivenUp() {
        let device = LiveDevice()
        for _ in 0..<4 { device.send(behind: .zero, after: .seconds(900)) }
        #expect(device.send(behind: .seconds(5_400), after: .seconds(900)))
        device.send(behind: .zero)
        #expect(device.clock.lag == .zero)
        #expect(!device.send(behind: .seconds(5_400), after: .seconds(900)))
        device.send(behind: .zero)
        #expect(device.send(behind: .seconds(5_400), after: .seconds(3_600)))
    }

    @Test func whatWasProvenElsewhereCounts() {
        var clock = DeviceClock(lag: Self.nineHours)
        #expect(clock.lag == Self.nineHours && clock.finding == .off(Self.nineHours))
        clock.observe(Self.start, receivedAt: Self.start + .seconds(5))
        #expect(clock.lag == .zero, "it was mended meanwhile")
        clock.prove(nil)
        #expect(clock.finding == nil)
    }

    @Test(arguments: 0..<100) func aBacklogSentAtOnceIsNeverASlowClock(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var clock = DeviceClock()
        let interval = Duration.seconds(Int.random(in: 10...600, using: &random))
        // The backlog is sent at least twice as fast as it was measured.
        let pace = interval / Int.random(in: 2...200, using: &random)
        var receipt = Self.start
        var time = receipt - .seconds(Int.random(in: 3_600...86_400, using: &random))
        var isTaken = false
        while time < receipt {
            clock.observe(time, receivedAt: receipt)
            isTaken = isTaken || clock.lag != .zero
            time = time + interval
            receipt = receipt + pace
        }
        #expect(!isTaken)
    }

    @Test(arguments: 100..<200) func aSlowClockWithJitterIsProven(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var sender = Sender()
        let behind = Duration.seconds(Int.random(in: 900...604_000, using: &random))
        for _ in 0..<11 {
            sender.send(behind: behind, delay: .milliseconds(Int.random(in: 0...58_000, using: &random)))
        }
        #expect(sender.clock.lag >= behind && sender.clock.lag <= behind + .seconds(58))
        // The lag stays proven through delays, outages and a drift of a second in an hour.
        var drift = 0
        for hour in 0..<200 {
            drift += 1
            let delay = hour % 7 == 0 ? 3_000 : Int.random(in: 0...50, using: &random)
            sender.send(behind: behind + .seconds(drift), delay: .seconds(delay), after: .seconds(3_600))
            let age = Duration.seconds(drift + delay) + behind - sender.clock.lag
            #expect(age >= .seconds(-60) && age <= .seconds(delay + 120), "hour \(hour)")
        }
    }

    @Test func hostileTimesNeverTrap() {
        let ends = [Int64.min, .min + 1, -1, 0, 1, .max - 1, .max].map { Timestamp(microseconds: $0) }
        var clock = DeviceClock()
        for (time, receipt) in ends.flatMap({ time in ends.map { (time, $0) } }) {
            clock.observe(time, receivedAt: receipt, newest: ends.randomElement())
            _ = (clock.finding, clock.lag, DeviceClock.isRight(at: time, receivedAt: receipt))
        }
    }
}
