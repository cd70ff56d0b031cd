import Chaos
import Testing

@Suite struct PlanTests {
    @Test func aSeedIsAPlan() {
        #expect(Plan(seed: 7, rounds: 60).rounds == Plan(seed: 7, rounds: 60).rounds)
        #expect(Plan(seed: 7, rounds: 60).rounds != Plan(seed: 8, rounds: 60).rounds)
        // A longer run begins like a shorter one.
        #expect(Plan(seed: 7, rounds: 60).rounds.prefix(20) == Plan(seed: 7, rounds: 20).rounds[...])
    }

    @Test func everyFaultComesBeforeAnyComesAgain() {
        let faults = Plan(seed: 3, rounds: Fault.all.count * 2).rounds.map(\.fault)
        #expect(Set(faults.prefix(Fault.all.count)) == Set(Fault.all))
        #expect(Set(faults.suffix(Fault.all.count)) == Set(Fault.all))
    }

    @Test func faultsHaveNames() {
        #expect(Set(Fault.all.map(\.name)).count == Fault.all.count)
        for fault in Fault.all { #expect(Fault.named(fault.name).contains(fault)) }
        #expect(
            Fault.named("kill").map(\.name) == [
                "kill-ingestor", "kill-rules", "kill-notifier", "kill-gateway", "kill-backend",
            ])
        #expect(Fault.named("failover") == [.machine(.failover)])
        #expect(Fault.named("rage").isEmpty)
    }
}
