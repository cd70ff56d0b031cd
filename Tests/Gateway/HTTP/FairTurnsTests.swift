import Routes
import TestSupport
import Testing
import WaterQuality

@testable import Gateway

@Suite struct FairTurnsTests {
    private func account(_ number: Int) -> Account.ID { Account.ID(rawValue: Int64(number)) }

    @Test func `who asks for eighty turns makes another wait for one`() {
        var turns = FairTurns<Account.ID, Int>(places: 2, placesOfPerson: 1)
        #expect(turns.enter(account(1), number: 0, waiter: 0) == true)
        for number in 1..<80 { #expect(turns.enter(account(1), number: UInt64(number), waiter: number) == false) }
        #expect(turns.enter(account(2), number: 100, waiter: 100) == true, "one place is left")
        #expect(turns.enter(account(3), number: 101, waiter: 101) == false)
        #expect(turns.enter(account(3), number: 102, waiter: 102) == false)
        #expect(turns.leave(account(2)) == 101, "the first may have no other place")
        #expect(turns.leave(account(1)) == 1)
        #expect(turns.leave(account(1)) == 2)
        #expect(turns.leave(account(3)) == 102)
    }

    @Test func `turns go round the people, each in their own order`() {
        var turns = FairTurns<Account.ID, Int>(places: 1, placesOfPerson: 1)
        #expect(turns.enter(account(9), number: 0, waiter: 0) == true)
        var number: UInt64 = 0
        for person in 1...3 {
            for index in 0..<3 {
                number += 1
                #expect(turns.enter(account(person), number: number, waiter: person * 10 + index) == false)
            }
        }
        var order: [Int] = []
        var running = account(9)
        while let next = turns.leave(running) {
            order.append(next)
            running = account(next / 10)
        }
        #expect(order == [10, 20, 30, 11, 21, 31, 12, 22, 32])
        #expect(turns.waitingCount == 0)
    }

    @Test func `who gives up waiting takes no turn`() {
        var turns = FairTurns<Account.ID, Int>(places: 1, placesOfPerson: 1)
        #expect(turns.enter(account(1), number: 1, waiter: 1) == true)
        #expect(turns.enter(account(2), number: 2, waiter: 2) == false)
        #expect(turns.enter(account(3), number: 3, waiter: 3) == false)
        #expect(turns.withdraw(account(2), number: 2) == 2)
        #expect(turns.withdraw(account(2), number: 2) == nil)
        #expect(turns.leave(account(1)) == 3)
        #expect(turns.leave(account(3)) == nil)
        #expect(turns.enter(account(2), number: 4, waiter: 4) == true)
    }

    /// In any order of coming and going, no place is lost and none is given twice.
    @Test func `places are neither lost nor given twice`() {
        var generator = SeededGenerator(seed: 31)
        for _ in 0..<50 {
            let (places, own) = (Int.random(in: 1...4, using: &generator), Int.random(in: 1...4, using: &generator))
            var turns = FairTurns<Account.ID, (person: Int, number: UInt64)>(places: places, placesOfPerson: own)
            var running: [Int] = []
            var waiting: [(person: Int, number: UInt64)] = []
            for number in 0..<300 as Range<UInt64> {
                switch Int.random(in: 0..<3, using: &generator) {
                case 0:
                    let person = Int.random(in: 0..<4, using: &generator)
                    if turns.enter(account(person), number: number, waiter: (person, number)) {
                        running.append(person)
                    } else {
                        waiting.append((person, number))
                    }
                case 1 where !running.isEmpty:
                    let gone = running.remove(at: Int.random(in: running.indices, using: &generator))
                    if let next = turns.leave(account(gone)) {
                        running.append(next.person)
                        waiting.removeAll { $0.number == next.number }
                    }
                case 2 where !waiting.isEmpty:
                    let one = waiting.remove(at: Int.random(in: waiting.indices, using: &generator))
                    #expect(turns.withdraw(account(one.person), number: one.number) != nil)
                default: break
                }
                #expect(running.count <= places)
                #expect(turns.waitingCount == waiting.count)
                for person in 0..<4 { #expect(running.count { $0 == person } <= own) }
                // No waiting call could have run.
                for one in waiting {
                    #expect(running.count == places || running.count { $0 == one.person } == own)
                }
            }
        }
    }
}

@Suite struct HeavyWorkTests {
    private let anna = Account.ID(rawValue: 1)
    private let ben = Account.ID(rawValue: 2)

    @Test func `a person has so many jobs at once, and others theirs`() throws {
        let work = HeavyWork(.init(jobsOfPerson: 2, jobs: 3))
        var jobs = [try work.job(of: anna), try work.job(of: anna)]
        #expect(throws: Problem.self) { try work.job(of: anna) }
        jobs.append(try work.job(of: ben))
        #expect(throws: Problem.self) { try work.job(of: ben) }
        jobs.removeFirst()
        jobs.append(try work.job(of: anna))
        #expect(jobs.count == 3)
    }

    @Test func `a cancelled wait ends, and takes no turn from others`() async throws {
        let work = HeavyWork(.init(places: 1, placesOfPerson: 1))
        let (job, other) = (try work.job(of: anna), try work.job(of: ben))
        try await job.turn {
            let late = Task { try await other.turn { true } }
            try await awaitFact("it waits") { work.waiting == 1 ? true : nil }
            late.cancel()
            await #expect(throws: CancellationError.self) { try await late.value }
        }
        #expect(try await other.turn { true })
        #expect(work.waiting == 0)
    }
}
