import TestSupport
import Testing
import WaterQuality

@testable import Gateway

@Suite struct ChallengeGateTests {
    private func account(_ number: Int) -> Account.ID { Account.ID(rawValue: Int64(number)) }

    /// Enters and leaves.
    private func pass(
        _ gate: inout ChallengeGate, _ number: Int, _ host: String, after: Duration = .zero
    ) -> Duration? {
        let wait = gate.enter(account(number), host: host, at: after)
        if wait == nil { gate.leave(account(number)) }
        return wait
    }

    @Test func `a person has few in a row, and one more after each interval`() {
        var gate = ChallengeGate()
        for number in 0..<5 { #expect(pass(&gate, 1, "\(number).example") == nil) }
        #expect(pass(&gate, 1, "6.example") == .seconds(30))
        #expect(pass(&gate, 2, "6.example") == nil)
        #expect(pass(&gate, 1, "6.example", after: .seconds(30)) == nil)
        #expect(pass(&gate, 1, "6.example", after: .seconds(31)) == .seconds(29))
    }

    @Test func `a host has few in a row, whoever names it, and one person cannot use them up`() {
        var gate = ChallengeGate()
        for number in 0..<30 { #expect(pass(&gate, number, "a.example") == nil) }
        #expect(pass(&gate, 30, "a.example") == .seconds(2))
        #expect(pass(&gate, 30, "b.example") == nil)
        var other = ChallengeGate()
        while pass(&other, 1, "a.example") == nil {}
        #expect(pass(&other, 2, "a.example") == nil)
    }

    @Test func `few run at once, one of each person`() {
        var gate = ChallengeGate(.init(running: 4))
        for number in 0..<4 { #expect(gate.enter(account(number), host: "\(number)", at: .zero) == nil) }
        #expect(gate.enter(account(4), host: "4", at: .zero) != nil)
        gate.leave(account(0))
        #expect(gate.enter(account(1), host: "4", at: .zero) != nil)
        #expect(gate.enter(account(4), host: "4", at: .zero) == nil)
    }

    /// A dozen accounts whose receivers never answer leave others their places.
    @Test func `what goes to one host leaves places to others`() {
        var gate = ChallengeGate()
        let taken = (0..<12).filter { gate.enter(account($0), host: "slow.example", at: .zero) == nil }
        #expect(taken.count == 8)
        #expect(gate.enter(account(99), host: "a.example", at: .zero) == nil)
        gate.leave(account(taken[0]))
        #expect(gate.enter(account(98), host: "slow.example", at: .zero) == nil)
    }

    @Test func `as many accounts as a stranger soon has leave places to others`() {
        var gate = ChallengeGate()
        for number in 0..<32 { #expect(gate.enter(account(number), host: "\(number).example", at: .zero) == nil) }
        #expect(gate.enter(account(99), host: "a.example", at: .zero) == nil)
    }

    /// Refused attempts are not charged: asking again and again does not delay a person further.
    @Test func `a refusal costs nothing`() {
        var gate = ChallengeGate()
        while pass(&gate, 1, "a.example") == nil {}
        for _ in 0..<1000 { #expect(pass(&gate, 1, "a.example") == .seconds(30)) }
        #expect(pass(&gate, 1, "a.example", after: .seconds(30)) == nil)
    }
}
