import ServiceKit
import Testing

@Suite struct ServiceRunnerTests {
    private let log = CapturedLog()
    private let health = Health()

    @Test func anErrorStopsTheOthersGracefullyAndIsToldOnce() async throws {
        let patient = PatientService()
        let failing = ClosureService { throw ServiceTrouble.diskFull }
        let code = await ServiceRunner.run(
            services: [patient, failing], health: health, logger: log.logger(), forceExit: {})
        #expect(code == 1)
        #expect(patient.history == ["started", "stopped"])
        #expect(log.text.count { $0.contains("diskFull") } == 1)
        #expect(try log.messages() == ["Stopping", "Stopped by an error"])
        #expect(await health.failingReadiness() == ["stopping"])
    }

    @Test func aServiceThatReturnsUnaskedIsAnErrorThatNamesItsType() async throws {
        let code = await ServiceRunner.run(
            services: [PatientService(), HastyService(password: "hunter2")], health: health, logger: log.logger(),
            forceExit: {})
        #expect(code == 1)
        #expect(try log.messages().last == "Stopped by an error")
        let told = try #require(log.text.last)
        #expect(told.contains("HastyService"))
        #expect(!told.contains("hunter2"))
    }

    @Test func servicesThatDoNotStopAreEndedByForce() async throws {
        let stubborn = StubbornService()
        let failing = ClosureService { throw ServiceTrouble.diskFull }
        let clock = InstantClock()
        let code = await ServiceRunner.run(
            services: [stubborn, failing], health: health, logger: log.logger(), clock: clock,
            forceExit: { stubborn.release() })
        #expect(code == 1)
        #expect(clock.sleeps == [.seconds(10)])
        #expect(try log.messages().contains("Services do not stop; ending the process"))
    }

    @Test func servicesAreCancelledAfterTheGracePeriod() async throws {
        let deaf = ClosureService { try await Task.sleep(for: .seconds(3_600)) }
        let failing = ClosureService { throw ServiceTrouble.diskFull }
        let code = await ServiceRunner.run(
            services: [deaf, failing], health: health, logger: log.logger(), gracePeriod: .milliseconds(1),
            forceExit: {})
        #expect(code == 1)
        #expect(log.text.count { $0.contains("diskFull") } == 1)
    }

    @Test func aCancelledGroupIsEndedByForceToo() async throws {
        let stubborn = StubbornService()
        _ = await ServiceRunner.run(
            services: [stubborn, ClosureService {}], health: health, logger: log.logger(), clock: InstantClock(),
            forceExit: { stubborn.release() })
        #expect(try log.messages().contains("Services do not stop; ending the process"))
    }
}
