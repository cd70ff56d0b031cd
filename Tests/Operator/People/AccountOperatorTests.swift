import TestSupport
import Testing

@testable import Operator

/// The role of an operator in the app is given and taken by the tool.
@Suite struct AccountOperatorTests {
    @Test func aPersonOperatesUntilTheToolTakesIt() async throws {
        try await Instance.with { instance in
            try await instance.addPeople(Instance.person, "ben@example.org")
            let operators = "SELECT coalesce(string_agg(email, ' '), '') FROM account WHERE operates"
            let given = await instance.aqua(
                "account", "operator", "add", Instance.person, changes: ["SUDO_USER": "root"])
            #expect(
                given.output == "\(Instance.person) operates the installation in the app: under Settings, Operation.\n")
            #expect(try await instance.database.sql(operators) == Instance.person)
            let again = await instance.aqua("account", "operator", "add", Instance.person)
            #expect(again.output.contains("nothing was changed"))
            let listed = await instance.aqua("account", "operator", "list")
            #expect(listed.output == "\(Instance.person)\n")
            let unknown = await instance.aqua("account", "operator", "add", "nobody@example.org")
            #expect(unknown.code == 1 && unknown.errors.contains("nobody@example.org"), "\(unknown.errors)")
            let taken = await instance.aqua("account", "operator", "remove", Instance.person)
            #expect(taken.output == "\(Instance.person) operates the installation no longer.\n")
            #expect(try await instance.database.sql(operators) == "")
            let none = await instance.aqua("account", "operator", "list")
            #expect(none.output == "Nobody operates the installation in the app.\n")
            let noted = try await instance.database.sql(
                "SELECT action, actor, actor_name IS NOT NULL FROM audit_entry WHERE action LIKE 'operator.%' ORDER BY entry_id LIMIT 1"
            )
            #expect(noted == "operator.give|operator|t")
            #expect(
                try await instance.database.sql("SELECT count(*) FROM audit_entry WHERE action LIKE 'operator.%'")
                    == "2")
        }
    }

    /// A provider makes operators where the environment of `aqua migrate` names their group, and no longer where it names none.
    @Test func theProviderGivesTheRoleWhereTheEnvironmentSaysSo() async throws {
        try await Instance.with { instance in
            let gives = "SELECT provider_gives FROM operation"
            #expect(try await instance.database.sql(gives) == "f")
            try instance.succeed(await instance.aqua("migrate", changes: ["AQUA_OIDC_ADMIN_GROUP": "operators"]))
            #expect(try await instance.database.sql(gives) == "t")
            try instance.succeed(await instance.aqua("migrate"))
            #expect(try await instance.database.sql(gives) == "f")
        }
    }

    @Test func theDoctorKeepsWhatItFoundWhereItIsAsked() async throws {
        try await Instance.with { instance in
            let kept = "SELECT looked_at IS NOT NULL, coalesce(jsonb_array_length(findings), 0) > 5 FROM operation"
            _ = await instance.aqua("doctor")
            let before = try await instance.database.sql(kept)
            #expect(before == "f|f")
            _ = await instance.aqua("doctor", "--record")
            let after = try await instance.database.sql(kept)
            #expect(after == "t|t")
            let wrong = await instance.aqua("doctor", "--every", "0")
            #expect(wrong.code == 64)
        }
    }

    /// A finding may hold what somebody else wrote: it stays a text. What is wrong has room, however much there is beside it.
    @Test func aFindingIsKeptAsItReads() async throws {
        let forged = #"\u0000","status":"ok"#
        let many = Array(repeating: Finding.ok("flow", String(repeating: "魚", count: 1000)), count: 300)
        let all = try KeepFindings(many + [.wrong("flow", forged, mend: "none")])
        #expect(all.findings.utf8.count <= KeepFindings.most + 2)
        #expect(all.findings.hasPrefix("[{") && all.findings.contains("wrong"))
        let one = try KeepFindings([.wrong("flow", "a\0b " + forged, mend: "none")])
        try await Instance.with { instance in
            _ = try await instance.database.sql(
                "UPDATE operation SET looked_at = now(), findings = $json$\(one.findings)$json$")
            let kept = try await instance.database.sql(
                "SELECT findings -> 0 ->> 'status', findings -> 0 ->> 'finding' FROM operation")
            #expect(kept == "wrong|ab " + forged)
        }
    }
}
