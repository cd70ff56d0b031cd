import Instants
import Testing
import WaterQuality

@Suite struct SettlementTests {
    private let decided = Timestamp(unixSeconds: Int64(100_000))
    /// The event time by the clock of a device that is nine hours behind.
    private var event: Timestamp { decided - .seconds(9 * 3_600) }

    private func settle(
        anyPending: Bool, acceptedAfter: Int?, isCharged: Bool = true, isClockTrusted: Bool = true
    ) -> Settlement {
        let alert = Alert.ID(rawValue: 1)
        return Settlement(
            of: alert, charging: isCharged ? Throttle(runsFrom: event, pending: .stored(alert)) : nil,
            event: isCharged ? event : nil, decidedAt: decided,
            firstAcceptance: acceptedAfter.map { decided + .seconds($0) }, anyPending: anyPending,
            isClockTrusted: isClockTrusted)
    }

    @Test(
        arguments: [
            (true, nil, nil, false, nil), (true, 1, nil, false, nil), (true, 61, nil, false, 61),
            (false, nil, .undelivered, true, nil), (false, 1, .delivered, false, nil),
            (false, 60, .delivered, false, nil), (false, 61, .delivered, false, 61),
        ] as [(Bool, Int?, Alert.State?, Bool, Int?)])
    func `of an alert that charged`(
        anyPending: Bool, acceptedAfter: Int?, state: Alert.State?, isRefunded: Bool, redatedTo: Int?
    ) {
        let settlement = settle(anyPending: anyPending, acceptedAfter: acceptedAfter)
        #expect(settlement.state == state)
        let redated = redatedTo.map { Settlement.Charge.runsFrom(event + .seconds($0)) }
        #expect(settlement.charge == (isRefunded ? .refunded : redated ?? .kept))
    }

    @Test func `a late acceptance by a clock that is not trusted moves nothing`() {
        let settlement = settle(anyPending: false, acceptedAfter: 3 * 3600, isClockTrusted: false)
        #expect(settlement.state == .delivered && settlement.charge == .kept)
    }

    @Test func `of a recovery, which charges nothing`() {
        let settlement = settle(anyPending: false, acceptedAfter: nil, isCharged: false)
        #expect(settlement.state == .undelivered && settlement.charge == .kept)
    }
}
