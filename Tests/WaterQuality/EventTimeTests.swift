import Instants
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
        let expected = isHistory.map { $0 ? TimeJudgement.history(device) : .tooOld(device) } ?? current
        #expect(TimeJudgement(device: device, receipt: receipt, history: .seconds(89 * 86_400)) == expected)
        #expect(TimeJudgement(device: device, receipt: receipt, history: nil) == current, "our clock is in doubt")
        #expect(
            TimeJudgement(device: nil, receipt: receipt, history: .seconds(89 * 86_400))
                == .current(EventTime(device: nil, receipt: receipt)))
    }

    @Test func eventTimeWithoutDeviceTimeIsTheReceipt() {
        let receipt = Timestamp(microseconds: 5)
        #expect(EventTime(device: nil, receipt: receipt).source == .receipt)
        #expect(EventTime(device: nil, receipt: receipt).time == receipt)
        #expect(TimeSource.device.rawValue == 0 && TimeSource.receipt.rawValue == 1)
    }
}
