import Instants
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Ingestor

/// Samples that arrive while their hour is being rolled up.
@Suite struct RollUpRaceTests {
    private func values(_ fixture: UpkeepFixture) async throws -> [Int64] {
        try await fixture.rolledUpHours().values.map(\.count)
    }

    /// The upkeeper has taken the hour and waits at its marks when a late sample arrives.
    @Test func whatComesBetweenTheMarksAndTheSamplesCounts() async throws {
        try await UpkeepFixture.with(devices: ["tank-1"]) { fixture in
            let (first, late) = (
                fixture.sample(0, at: fixture.start), fixture.sample(0, at: fixture.start + .seconds(60))
            )
            try await fixture.store.owner.perform(InsertNewSamples([first]))
            let writer = try await PostgresConnection.connect(
                StoreFixture.configuration(fixture.store.database, .owner))
            try await writer.executeScript("BEGIN; LOCK TABLE rollup_due IN ACCESS EXCLUSIVE MODE")
            async let step = fixture.step(.ended)
            try await fixture.store.await(StoreFixture.aBackendWaits)
            try await writer.perform(InsertNewSamples([late]))
            try await writer.perform(MarkHoursDue(DueHour.among([late], began: .now)))
            try await writer.executeScript("COMMIT")
            #expect(try await step)
            while try await fixture.step(.late) {}
            #expect(try await values(fixture) == [2])
            await writer.close()
        }
    }

    /// A sample that is stored, but not committed, while its hour is rolled up.
    @Test func whatIsCommittedAfterwardsCountsNextTime() async throws {
        try await UpkeepFixture.with(devices: ["tank-1"]) { fixture in
            let (first, late) = (
                fixture.sample(0, at: fixture.start), fixture.sample(0, at: fixture.start + .seconds(60))
            )
            try await fixture.store.owner.perform(InsertNewSamples([first]))
            let writer = try await PostgresConnection.connect(
                StoreFixture.configuration(fixture.store.database, .owner))
            try await writer.executeScript("SET idle_in_transaction_session_timeout = 0; BEGIN")
            try await writer.perform(InsertNewSamples([late]))
            try await writer.perform(MarkHoursDue(DueHour.among([late], began: .now)))
            #expect(try await fixture.step(.ended))
            #expect(try await values(fixture) == [1])
            try await writer.executeScript("COMMIT")
            #expect(try await fixture.step(.late))
            #expect(try await values(fixture) == [2])
            #expect(try await fixture.step(.late) == false)
            await writer.close()
        }
    }

    /// A transaction that began before an hour was closed leaves no mark, so the roll-up waits for it.
    @Test func anHourWaitsForWhoeverBeganBeforeItsClosing() async throws {
        try await UpkeepFixture.with(devices: ["tank-1"]) { fixture in
            let writer = try await PostgresConnection.connect(
                StoreFixture.configuration(fixture.store.database, .ingestor))
            try await writer.executeScript("SET idle_in_transaction_session_timeout = 0; BEGIN")
            let began = try #require(try await writer.execute(ReadTransactionStart()).first)
            // The hour was closed right after the writer had begun.
            let claim = ClaimNextHour(
                closing: began - (fixture.start + .seconds(3_600)) + .microseconds(1), rollUp: .zero)
            func claimed() async throws -> Timestamp? {
                try await fixture.upkeep.transaction { try $0.execute(claim).first?.start }
            }
            #expect(try await claimed() == nil)
            try await writer.executeScript("COMMIT")
            #expect(try await claimed() == fixture.start)
            await writer.close()
        }
    }

    @Test func oneWorksAtATime() async throws {
        try await UpkeepFixture.with(devices: ["tank-1"]) { fixture in
            let other = try await PostgresConnection.connect(
                StoreFixture.configuration(fixture.store.database, .ingestor))
            try await other.executeScript("SET idle_in_transaction_session_timeout = 0; BEGIN")
            #expect(try await other.execute(ClaimNextHour()).count == 1)
            #expect(try await fixture.step(.ended) == false)
            #expect(try await fixture.step(.late) == false)
            try await other.executeScript("ROLLBACK")
            #expect(try await fixture.step(.ended))
            await other.close()
        }
    }
}

private struct ReadTransactionStart: Statement {
    static let sql = "SELECT now()"
    static func decode(_ row: inout RowReader) throws -> Timestamp { try row.read() }
}
