import Testing
import WaterQuality

@testable import Gateway

@Suite struct BackTestGateTests {
    private func account(_ number: Int) -> Account.ID { Account.ID(rawValue: Int64(number)) }

    /// Enters and leaves.
    private func pass(_ gate: inout BackTestGate, _ number: Int, after: Duration = .zero) -> Duration? {
        let wait = gate.enter(account(number), at: after)
        if wait == nil { gate.leave(account(number)) }
        return wait
    }

    @Test func `a person has some in a row, and one more after each interval`() {
        var gate = BackTestGate()
        for _ in 0..<20 { #expect(pass(&gate, 1) == nil) }
        #expect(pass(&gate, 1) == .seconds(2))
        #expect(pass(&gate, 2) == nil)
        #expect(pass(&gate, 1, after: .seconds(2)) == nil)
        #expect(pass(&gate, 1, after: .seconds(2)) == .seconds(2))
    }

    @Test func `few run at once, and fewer of one person`() {
        var gate = BackTestGate()
        for _ in 0..<3 { #expect(gate.enter(account(0), at: .zero) == nil) }
        #expect(gate.enter(account(0), at: .zero) == .seconds(1))
        for number in 1...3 { #expect(gate.enter(account(number), at: .zero) == nil) }
        #expect(gate.enter(account(4), at: .zero) == .seconds(1))
        gate.leave(account(0))
        #expect(gate.enter(account(4), at: .zero) == nil)
        gate.leave(account(4))
        gate.leave(account(4))
        #expect(gate.enter(account(0), at: .zero) == nil)
        #expect(gate.enter(account(0), at: .zero) != nil)
    }
}
