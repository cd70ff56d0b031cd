import Instants
import TestSupport
import Testing
import WaterQuality

@Suite struct EventTimeTests {
    @Test(arguments: [
        (-7 * 86_400, TimeSource.device), (-7 * 86_400 - 1, .receipt), (0, .device), (300, .device),
        (301, .receipt), (-1_777_636_800, .receipt),
    ])
    func eventTimeTrustsPlausibleDevices(offset: Int, source: TimeSource) {
        let receipt = Timestamp(unixSeconds: Int64(1_777_636_800))
        let device = receipt + .seconds(offset)
        let event = EventTime(device: device, receipt: receipt)
        #expect(event.source == source)
        #expect(event.time == (source == .device ? device : receipt))
    }

    @Test(
        arguments: [
            (-7 * 86_400, nil), (-7 * 86_400 - 1, true), (-89 * 86_400, true), (-89 * 86_400 - 1, false),
            (-2_000 * 86_400, false), (301, nil), (-1_777_636_800, nil), (-1_777_636_800 + 946_684_800, nil),
            (-1_777_636_800 + 1_577_836_799, nil),
        ] as [(Int, Bool?)])
    func whatIsOlderThanAWeekIsHistoryOrTooOld(offset: Int, isHistory: Bool?) {
        let receipt = Timestamp(unixSeconds: Int64(1_777_636_800))
        let device = receipt + .seconds(offset)
        let current = TimeJudgement.current(EventTime(device: device, receipt: receipt))
        func judged(_ stated: StatedTime, history: Duration? = .seconds(89 * 86_400)) -> TimeJudgement {
            TimeJudgement(stated, receipt: receipt, history: history)
        }
        switch (judged(.at(device)), isHistory) {
        case (.history(let event), true?): #expect(event.time == device && event.source == .device && !event.isDoubted)
        case (.tooOld(let time), false?): #expect(time == device)
        case (let judgement, nil): #expect(judgement == current)
        case (let judgement, _): Issue.record("\(judgement)")
        }
        #expect(judged(.at(device), history: nil) == current, "our clock is in doubt")
        #expect(judged(.receipt) == .current(EventTime(device: nil, receipt: receipt)))
        // An age is judged like the time that it gives.
        guard offset < 0 else { return }
        switch (judged(.ago(.seconds(-offset))), judged(.at(device))) {
        case (.current(let event), .current(let other)), (.history(let event), .history(let other)):
            #expect(event.time == other.time && event.source == .receipt && event.isDoubted == other.isDoubted)
        case (let judgement, let other): #expect(judgement == other)
        }
    }

    @Test func whatNamesNoInstantIsDoubted() {
        let receipt = Timestamp(unixSeconds: Int64(1_777_636_800))
        for history in [nil, Duration.seconds(89 * 86_400)] {
            guard case .current(let event) = TimeJudgement(.unreadable, receipt: receipt, history: history) else {
                Issue.record("not current")
                continue
            }
            #expect(event.time == receipt && event.source == .receipt && event.isDoubted)
        }
    }

    /// Whatever a message says, and whatever the clocks are, the stored time lies within the kept period.
    @Test func everyJudgedTimeLiesWithinWhatIsKept() {
        var generator = SeededGenerator(seed: 31)
        let scales: [Double] = [1, 1e3, 1e6, 1e9]
        for _ in 0..<200_000 {
            let receipt = Timestamp(unixSeconds: Int64.random(in: 0...4_000_000_000, using: &generator))
            let kept = Duration.seconds(Int64.random(in: 0...40_000, using: &generator) * 86_400)
            let history = Bool.random(using: &generator) ? kept : nil
            let stated: StatedTime
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: stated = .at(Timestamp(microseconds: .random(in: .min ... .max, using: &generator)))
            case 1: stated = .ago(.seconds(Int64.random(in: .min ... .max, using: &generator)))
            case 2: stated = .ago(.seconds(Int64.random(in: -10...400_000_000, using: &generator)))
            case 3: stated = .at(receipt + .seconds(Int64.random(in: -400_000_000...400, using: &generator)))
            case 4: stated = StatedTime(epoch: Double(bitPattern: generator.next()))
            default:
                let seconds = receipt.unixSeconds + Double.random(in: -1e6...1e3, using: &generator)
                stated = StatedTime(epoch: seconds * scales[Int.random(in: 0..<4, using: &generator)])
            }
            switch TimeJudgement(stated, receipt: receipt, history: history) {
            case .current(let event):
                #expect(
                    event.time >= receipt - EventTime.furthestBack && event.time <= receipt + EventTime.furthestAhead)
                #expect(!event.isDoubted || event.time == receipt)
            case .history(let event):
                #expect(event.time >= receipt - max(kept, EventTime.furthestBack) && event.time < receipt)
                #expect(history != nil && event.time >= EventTime.earliestSet)
            case .tooOld(let time): #expect(time < receipt - EventTime.furthestBack)
            }
        }
    }

    /// Each scale begins where the smaller one ends, decades before any device was made.
    @Test func anEpochIsReadInTheScaleOfItsSize() {
        for (number, time) in [
            (1_777_636_800, 1_777_636_800_000_000), (1_777_636_800.25, 1_777_636_800_250_000),
            (1_777_636_800_250, 1_777_636_800_250_000), (1_777_636_800_250_125, 1_777_636_800_250_125),
            (1_777_636_800_250_125_056, 1_777_636_800_250_125), (99_999_999_999, 99_999_999_999_000_000),
            (100_000_000_000, 100_000_000_000_000), (100_000_000_000_000, 100_000_000_000_000),
            (100_000_000_000_000_000, 100_000_000_000_000), (0, 0), (-1.5, -1_500_000),
        ] as [(Double, Int64)] {
            #expect(StatedTime(epoch: number) == .at(Timestamp(microseconds: time)), "\(number)")
        }
        for number in [1e20, -1e20, .infinity, .nan, -99_999_999_999, -99_999_999_999_999] as [Double] {
            #expect(StatedTime(epoch: number) == .unreadable, "\(number)")
        }
        let noon = Timestamp(unixSeconds: Int64(1_777_636_800))
        for text in [
            "1777636800", "1777636800000", "1777636800000000", "1777636800000000000", "2026-05-01T14:00:00+02:00",
        ] {
            #expect(StatedTime(text) == .at(noon), "\(text)")
        }
        for text in ["", "yesterday", "nan", "inf", "0x6A0", "2026-05-01T12:00:00", "17776368000000000000000"] {
            #expect(StatedTime(text) == .unreadable, "\(text)")
        }
    }

    @Test func eventTimeWithoutDeviceTimeIsTheReceipt() {
        let receipt = Timestamp(microseconds: 5)
        #expect(EventTime(device: nil, receipt: receipt).source == .receipt)
        #expect(EventTime(device: nil, receipt: receipt).time == receipt)
        #expect(TimeSource.device.rawValue == 0 && TimeSource.receipt.rawValue == 1)
    }
}
