import TestSupport
import Testing

@testable import Operator

@Suite struct ProjectTests {
    @Test func projectsAreListedWithWhoTakesPart() async throws {
        try await Instance.with { instance in
            let none = await instance.aqua("project", "list")
            #expect(none.output == "There are no projects.\n")
            for name in ["ada", "ben"] {
                _ = try await instance.succeed(instance.aqua("account", "add", "\(name)@example.org"))
            }
            let project = try await instance.database.sql(
                """
                SELECT account_id AS ada FROM account WHERE email LIKE 'ada%' \\gset
                SELECT account_id AS ben FROM account WHERE email LIKE 'ben%' \\gset
                SET aqua.account = :ada;
                SELECT create_project('Koi Farm') AS project \\gset
                INSERT INTO project_member (project_id, account_id, role) VALUES (:project, :ben, 'keeper');
                SELECT :project
                """)
            let list = try await instance.succeed(instance.aqua("project", "list"))
            #expect(list.output.hasPrefix("\(project)  Koi Farm  devices: 0, members: 2, since "), "\(list.output)")
            let shown = try await instance.succeed(instance.aqua("project", "show", project))
            let lines = shown.output.split(separator: "\n")
            #expect(lines.count == 3 && lines[1].hasPrefix("owner  ada@example.org  since "), "\(shown.output)")
            #expect(lines[2].hasPrefix("keeper  ben@example.org  since "), "\(shown.output)")
            let unknown = await instance.aqua("project", "show", "999")
            #expect(unknown.code == 1 && unknown.errors.contains("aqua project list"), "\(unknown.errors)")
            // Nobody waits for a project's endpoint.
            #expect(try await instance.database.sql("SELECT unreached_people FROM take_census()") == "0")
        }
    }
}
