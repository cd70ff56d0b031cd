import Postgres
import TestSupport
import Testing

/// A scope closes the connection that it opened.
@Suite struct ScopeTests {
    private struct Trouble: Error {}

    @Test(arguments: [false, true]) func aScopeClosesItsConnectionHoweverItEnds(fails: Bool) async throws {
        var lent: PostgresConnection?
        do {
            let answer = try await PostgresConnection.with(TestCluster.commonDatabase()) { connection in
                lent = connection
                if fails { throw Trouble() }
                return try await connection.execute(One())
            }
            #expect(answer == [1] && !fails)
        } catch is Trouble {
            #expect(fails)
        }
        let connection = try #require(lent)
        let error = await #expect(throws: PostgresError.self) { try await connection.execute(One()) }
        #expect(error?.code == .closed)
    }
}
