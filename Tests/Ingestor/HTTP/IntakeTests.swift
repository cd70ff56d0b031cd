import MQTT
import TestSupport
import Testing
import WaterQuality

@testable import Ingestor

@Suite struct IntakeTests {
    private static func messages(_ count: Int) -> [MQTTMessage] { (0..<count).map { .of(#"{"ph":\#($0)}"#) } }

    /// Hands messages over in a task of its own, and returns once they wait.
    private static func handOver(
        _ count: Int, to intake: Intake, _ group: inout ThrowingTaskGroup<[ReceiptStatus?], any Error>
    ) async throws {
        let before = intake.waitingCount
        group.addTask { try await intake.commit(messages(count)) }
        try await awaitFact("messages that wait") { intake.waitingCount == before + count ? true : nil }
    }

    @Test func whatWaitsIsTakenInOrderAndTold() async throws {
        let intake = Intake()
        try await withThrowingTaskGroup(of: [ReceiptStatus?].self) { group in
            try await Self.handOver(2, to: intake, &group)
            try await Self.handOver(3, to: intake, &group)
            let taken = intake.take()
            #expect(taken.map(\.messages.count) == [2, 3])
            #expect(intake.waitingCount == 0)
            #expect(intake.take().isEmpty)
            taken[1].end(.success([.stored, nil, .repeated]))
            #expect(try await group.next() == [.stored, nil, .repeated])
            taken[0].end(.success([.stored, .rejected(.tooOld)]))
            // The first outcome counts.
            taken[0].end(.success([]))
            #expect(try await group.next() == [.stored, .rejected(.tooOld)])
        }
    }

    @Test func whatFindsNoPlaceIsRefused() async throws {
        let intake = Intake()
        try await withThrowingTaskGroup(of: [ReceiptStatus?].self) { group in
            try await Self.handOver(Lane.batchMessages - 1, to: intake, &group)
            await #expect(throws: Intake.Refusal.full) { try await intake.commit(Self.messages(2)) }
            try await Self.handOver(1, to: intake, &group)
            let large = MQTTMessage(
                topic: "aqua/v1/tank-1/readings", payload: Array(repeating: 32, count: Lane.batchBytes))
            _ = intake.take().map { $0.end(.success([])) }
            try await group.waitForAll()
            group.addTask { try await intake.commit([large]) }
            try await awaitFact("the large one") { intake.waitingCount == 1 ? true : nil }
            await #expect(throws: Intake.Refusal.full) { try await intake.commit(Self.messages(1)) }
            intake.stop()
            await #expect(throws: Intake.Refusal.stopped) { try await group.next() }
        }
    }

    @Test func aRequestThatGivesUpLeavesItsPlace() async throws {
        let intake = Intake()
        try await withThrowingTaskGroup(of: [ReceiptStatus?].self) { group in
            try await Self.handOver(5, to: intake, &group)
            group.cancelAll()
            await #expect(throws: CancellationError.self) { try await group.next() }
            #expect(intake.waitingCount == 0)
            #expect(intake.take().isEmpty)
        }
    }

    @Test func onceStoppedItTakesNothing() async throws {
        let intake = Intake()
        intake.stop()
        await #expect(throws: Intake.Refusal.stopped) { try await intake.commit(Self.messages(1)) }
    }

    @Test func oneDeviceTakesNoPlaceOfTheOthers() async throws {
        let running = RunningRequests(most: 3, mostOfDevice: 2)
        let (pond, tank) = (try #require(Device.HardwareID("pond")), try #require(Device.HardwareID("tank")))
        try await running.with(pond) {
            try await running.with(pond) {
                await #expect(throws: RunningRequests.Refusal.tooManyOfDevice) { try await running.with(pond) {} }
                _ = try await running.with(tank) {
                    await #expect(throws: RunningRequests.Refusal.tooMany) { try await running.with(tank) {} }
                }
            }
            try await running.with(pond) {}
        }
        #expect(running.count == 0)
    }
}
