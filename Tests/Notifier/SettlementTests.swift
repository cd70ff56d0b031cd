import Instants
import Testing
import WaterQuality

@testable import Notifier
@testable import Store

@Suite struct SettlementTests {
    private let decided = Timestamp(unixSeconds: Int64(100_000))
    /// By the clock of a device that is nine hours behind.
    private var event: Timestamp { decided - .seconds(9 * 3_600) }

    private func settle(
        anyPending: Bool, acceptedAfter: Int?, isCharged: Bool = true, isClockTrusted: Bool = true
    ) throws -> SettleAlerts.Settlement {
        let slot = try #require(Slot(rawValue: 3))
        return SettleAlerts.Settlement(
            JudgeAlerts.Row(
                alert: AlertReference(slot: slot, alert: Alert.ID(rawValue: 1)), account: Account.ID(rawValue: 2),
                decidedAt: decided, anyPending: anyPending,
                firstAcceptance: acceptedAfter.map { decided + .seconds($0) },
                chargedAt: isCharged ? event : nil, chargedFor: isCharged ? event : nil,
                isClockTrusted: isClockTrusted))
    }

    @Test(
        arguments: [
            (true, nil, nil, false, nil), (true, 1, nil, false, nil), (true, 61, nil, false, 61),
            (false, nil, "undelivered", true, nil), (false, 1, "delivered", false, nil),
            (false, 60, "delivered", false, nil), (false, 61, "delivered", false, 61),
        ] as [(Bool, Int?, String?, Bool, Int?)])
    func `of an alert that charged`(
        anyPending: Bool, acceptedAfter: Int?, state: String?, isRefunded: Bool, redatedTo: Int?
    ) throws {
        let settlement = try settle(anyPending: anyPending, acceptedAfter: acceptedAfter)
        #expect(settlement.state == state)
        #expect(settlement.refund == isRefunded)
        #expect(settlement.chargedAt == redatedTo.map { event + .seconds($0) })
    }

    @Test func `a late acceptance by a clock that is not trusted moves nothing`() throws {
        let settlement = try settle(anyPending: false, acceptedAfter: 3 * 3600, isClockTrusted: false)
        #expect(settlement.state == "delivered" && settlement.chargedAt == nil && !settlement.refund)
    }

    @Test func `of a recovery, which charges nothing`() throws {
        let settlement = try settle(anyPending: false, acceptedAfter: nil, isCharged: false)
        #expect(settlement.state == "undelivered")
        #expect(!settlement.refund)
    }
}
