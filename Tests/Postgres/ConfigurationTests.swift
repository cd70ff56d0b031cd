import Postgres
import TestSupport
import Testing

@Suite struct ConfigurationTests {
    @Test(arguments: [
        "postgresql://aqua:secret@localhost/aqua", "postgresql://localhost/aqua?password=secret",
        "host=localhost password=secret",
    ])
    func aPasswordInTheURLIsRefused(url: String) throws {
        let error = #expect(throws: PostgresError.self) {
            try PostgresConfiguration(url: url, applicationName: "tests")
        }
        #expect(error?.code == .configuration)
        #expect(error?.message.contains("carries a password") == true)
        #expect("\(error as Any)".contains("secret") == false)
    }

    @Test func aMalformedURLIsRefused() throws {
        let error = #expect(throws: PostgresError.self) {
            try PostgresConfiguration(url: "postgresql://[::1/aqua", applicationName: "tests")
        }
        #expect(error?.code == .configuration)
    }

    @Test func thePasswordShowsNowhere() throws {
        let configuration = try PostgresConfiguration(
            url: "postgresql://localhost/aqua", password: "secret", applicationName: "tests")
        var dumped = ""
        dump(configuration, to: &dumped)
        #expect("\(configuration) \(String(reflecting: configuration)) \(dumped)".contains("secret") == false)
    }

    @Test func anUnreachableServerIsARetriableFailure() async throws {
        let configuration = try PostgresConfiguration(
            url: "postgresql:///aqua?host=/nonexistent", applicationName: "tests")
        let error = await #expect(throws: PostgresError.self) {
            try await PostgresConnection.connect(configuration)
        }
        #expect(error?.code == .connectionFailed)
        #expect(error?.isRetriable == true)
        #expect(error?.file.hasSuffix("ConfigurationTests.swift") == true)
        #expect(error?.description == "PostgreSQL: no connection")
    }

    @Test func noticesReachTheClosure() async throws {
        let (notices, sink) = AsyncStream.makeStream(of: PostgresNotice.self)
        var configuration = try await TestCluster.commonDatabase()
        configuration.onNotice = { sink.yield($0) }
        let connection = try await PostgresConnection.connect(configuration)
        try await connection.executeScript("DO $$ BEGIN RAISE WARNING 'the filter is clogged'; END $$")
        let notice = await notices.first { _ in true }
        #expect(notice?.message == "the filter is clogged")
        #expect(notice?.severity == "WARNING")
    }
}
