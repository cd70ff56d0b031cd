import Instants
import Testing
import WaterQuality

@testable import Operator

@Suite struct CanaryChecksTests {
    private static let now = Timestamp(unixSeconds: 1_780_000_000 as Int64)

    /// A canary of a quarter of an hour that was set up a day ago.
    private static func canary(
        delivered: Int? = nil, heard: Int? = nil, made: Int = 86_400, hasEndpoint: Bool = true, isLinked: Bool = true
    ) -> FindCanary.Row {
        func ago(_ seconds: Int) -> Timestamp { now - .seconds(seconds) }
        return FindCanary.Row(
            account: Account.ID(rawValue: 1), hardwareID: "canary-1", every: .seconds(900), madeAt: ago(made),
            deliveredAt: delivered.map(ago), now: now, hasEndpoint: hasEndpoint, isLinked: isLinked,
            heardAt: heard.map(ago))
    }

    @Test func `none is a notice and no fault`() {
        let finding = CanaryChecks.judge(nil)
        #expect(finding.status == .notice && finding.mend?.contains("aqua canary create --webhook URL") == true)
    }

    @Test(
        arguments: [
            (canary(delivered: 0), .ok), (canary(delivered: 2_400), .ok), (canary(delivered: 2_401), .wrong),
            (canary(made: 2_400), .notice), (canary(made: 2_401), .wrong),
            // By a clock that was put back nothing has arrived.
            (canary(delivered: -60), .wrong),
            (canary(delivered: 0, hasEndpoint: false), .wrong), (canary(delivered: 0, isLinked: false), .wrong),
        ] as [(FindCanary.Row, Operator.Finding.Status)])
    func `two turns and ten minutes are waited for`(_ canary: FindCanary.Row, _ status: Operator.Finding.Status) {
        #expect(CanaryChecks.judge(canary).status == status)
    }

    @Test func `what is late says how far it comes`() {
        let stored = CanaryChecks.judge(Self.canary(delivered: 7_200, heard: 300))
        #expect(stored.finding.hasSuffix("its readings are stored"))
        for heard in [nil, 3_600] {
            let unheard = CanaryChecks.judge(Self.canary(delivered: 7_200, heard: heard))
            #expect(unheard.finding.hasSuffix("its readings do not come either"))
            #expect(unheard.mend?.contains("publisher") == true)
        }
    }
}
