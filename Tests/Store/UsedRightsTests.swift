import Postgres
import Store
import TestSupport
import Testing

@testable import Ingestor

/// Each right of a service's role is used: if it is revoked, a statement of the service fails. An unused right is
/// revoked, so that an attacker who takes over the service gets no more than its work needs. A right on columns counts
/// once for each column.
@Suite struct UsedRightsTests {
    /// Rights that only services of the previous version use. The next release revokes them and empties this list.
    private static let former: Set<String> = [
        "aqua_gateway EXECUTE number_web_push(text,bytea,uuid,bigint)",
        "aqua_gateway EXECUTE add_web_push(bigint,bigint,text,bytea,bytea,text,uuid)",
    ]

    @Test(arguments: ServiceStatements.all.map(\.role))
    func everyRightIsUsed(_ role: TestDatabase.Role) async throws {
        try await SchemaFixture.with { fixture in
            let service = try await SchemaFixture.connect(fixture.database, role)
            let statements = ServiceStatements.all.first { $0.role == role }?.statements ?? []
            let trial = RightsTrial(
                owner: fixture.owner, service: service, role: role.rawValue,
                statements: statements + (try await ServiceStatements.others(role, service)),
                composed: ServiceStatements.composed(role))
            let unused = try await trial.unusedRights()
            #expect(unused.subtracting(Self.former).sorted() == [])
            let own = Self.former.filter { $0.hasPrefix("\(role.rawValue) ") }
            #expect(own.subtracting(unused).sorted() == [], "they are used, or were revoked")
            await service.close()
        }
    }

    /// A role that may delete from a table, or update all of it, may also lock it against everybody.
    @Test func theGatewayLocksNobodyOutOfATableThatOthersRead() async throws {
        try await SchemaFixture.with { fixture in
            let locked = try await fixture.database.sql(
                """
                SELECT c.relname FROM pg_class c
                WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v')
                    AND has_table_privilege('aqua_gateway', c.oid, 'UPDATE, DELETE, TRUNCATE')
                    AND EXISTS (
                        SELECT FROM unnest(ARRAY['aqua_ingestor', 'aqua_rules', 'aqua_notifier']) AS other
                        WHERE has_any_column_privilege(other, c.oid, 'SELECT, INSERT, UPDATE')
                            OR has_table_privilege(other, c.oid, 'DELETE'))
                ORDER BY 1
                """)
            let locks = ["UPDATE ", "DELETE ", "TRUNCATE "]
            let former = Self.former.compactMap { right in
                locks.compactMap { lock in right.firstRange(of: lock).map { String(right[$0.upperBound...]) } }.first
            }
            #expect(Set(locked.split(separator: "\n").map(String.init)) == Set(former))
        }
    }
}

/// Revokes the rights of one role one by one, and records which statements fail.
private struct RightsTrial {
    let owner: PostgresConnection
    let service: PostgresConnection
    let role: String
    let statements: [any Statement]
    let composed: [any ComposedStatement]

    private struct Undone: Error {}

    func unusedRights() async throws -> Set<String> {
        var unused: Set<String> = []
        for relation in try await owner.execute(FindRelations(role: role)) {
            unused.formUnion(try await unusedRights(on: relation))
        }
        for function in try await owner.execute(FindFunctions(role: role)) {
            let name = function.prefix { $0 != "(" }
            let naming = statements.filter { type(of: $0).sql.contains("\(name)(") }
            try await change("REVOKE EXECUTE ON FUNCTION \(function) FROM \(role)")
            if try await !fails(naming), try await !fails(statements), try await !composedFail() {
                unused.insert("\(role) EXECUTE \(function)")
            }
            try await change("GRANT EXECUTE ON FUNCTION \(function) TO \(role)")
        }
        for (sequence, privilege) in try await owner.execute(FindSequences(role: role)) {
            try await change("REVOKE \(privilege) ON SEQUENCE \(sequence) FROM \(role)")
            if try await !fails(statements) { unused.insert("\(role) \(privilege) \(sequence)") }
            try await change("GRANT \(privilege) ON SEQUENCE \(sequence) TO \(role)")
        }
        return unused
    }

    private func unusedRights(on relation: FindRelations.Row) async throws -> Set<String> {
        var unused: Set<String> = []
        func grant(_ privilege: String, _ columns: [String]) async throws {
            try await change(
                "GRANT \(privilege)\(columns.isEmpty ? "" : " (\(columns.joined(separator: ", ")))") ON \(relation.name) TO \(role)"
            )
        }
        try await change("REVOKE ALL ON \(relation.name) FROM \(role)")
        var concerned: [any Statement] = []
        for statement in statements where try await fails([statement]) { concerned.append(statement) }
        let copies = try await copyFails()
        for (privilege, columns) in relation.columns { try await grant(privilege, columns) }
        for privilege in relation.whole { try await grant(privilege, []) }
        for privilege in relation.whole {
            try await change("REVOKE \(privilege) ON \(relation.name) FROM \(role)")
            let isUsed = try await fails(concerned)
            let copyIsUsed = copies ? try await copyFails() : false
            if !isUsed, !copyIsUsed { unused.insert("\(role) \(privilege) \(relation.name)") }
            try await grant(privilege, [])
            // Revoking the table's privilege also revoked the columns' privileges.
            for (other, columns) in relation.columns where other == privilege { try await grant(other, columns) }
        }
        for (privilege, columns) in relation.columns {
            for column in columns {
                try await change("REVOKE \(privilege) (\(column)) ON \(relation.name) FROM \(role)")
                if try await !fails(concerned) { unused.insert("\(role) \(privilege) \(relation.name).\(column)") }
                try await grant(privilege, [column])
            }
        }
        return unused
    }

    private func change(_ sql: String) async throws { try await owner.executeScript(sql) }

    /// Whether any statement fails for lack of a right.
    private func fails(_ statements: [any Statement]) async throws -> Bool {
        for statement in statements {
            do {
                try await service.transaction { transaction in
                    try transaction.perform(statement)
                    throw Undone()
                }
            } catch let error as PostgresError where error.code == .insufficientPrivilege {
                if error.message.hasPrefix("permission denied") { return true }
            } catch is Undone {} catch is PostgresError {}
        }
        return false
    }

    /// Whether a statement fails for lack of a right that is put together of what is asked.
    private func composedFail() async throws -> Bool {
        for statement in composed {
            do {
                try await service.transaction { try $0.run(statement) }
            } catch let error as PostgresError where error.code == .insufficientPrivilege {
                return true
            }
        }
        return false
    }

    private func copyFails() async throws -> Bool {
        guard role == "aqua_ingestor" else { return false }
        do {
            try await service.copy(into: CopySamples.self, rows: CopyBuffer())
            return false
        } catch let error as PostgresError where error.code == .insufficientPrivilege {
            return true
        }
    }
}

/// The tables and views of a role, with the rights granted on columns and on the whole. `schema_migration` and
/// `schema_script` are left out: only `Schema.require` reads them.
private struct FindRelations: Statement {
    static let sql = """
        SELECT c.relname::text,
            ARRAY(SELECT a.attname::text FROM pg_attribute a, aclexplode(a.attacl) AS acl
                WHERE a.attrelid = c.oid AND acl.grantee = $1::text::regrole AND acl.privilege_type = 'SELECT' ORDER BY a.attnum),
            ARRAY(SELECT a.attname::text FROM pg_attribute a, aclexplode(a.attacl) AS acl
                WHERE a.attrelid = c.oid AND acl.grantee = $1::text::regrole AND acl.privilege_type = 'INSERT' ORDER BY a.attnum),
            ARRAY(SELECT a.attname::text FROM pg_attribute a, aclexplode(a.attacl) AS acl
                WHERE a.attrelid = c.oid AND acl.grantee = $1::text::regrole AND acl.privilege_type = 'UPDATE' ORDER BY a.attnum),
            ARRAY(SELECT acl.privilege_type FROM aclexplode(c.relacl) AS acl WHERE acl.grantee = $1::text::regrole ORDER BY 1)
        FROM pg_class c
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm') AND NOT c.relispartition
            AND (has_any_column_privilege($1::text, c.oid, 'SELECT, INSERT, UPDATE, REFERENCES')
                OR has_table_privilege($1::text, c.oid, 'DELETE, TRUNCATE, TRIGGER'))
            AND c.relname NOT IN ('schema_migration', 'schema_script')
        ORDER BY 1
        """

    struct Row: Sendable {
        var name: String
        var columns: [(privilege: String, columns: [String])]
        var whole: [String]
    }

    let role: String
    func bind(_ parameters: inout Parameters) { parameters.append(role) }
    static func decode(_ row: inout RowReader) throws -> Row {
        let name = try row.read(String.self)
        let columns = try ["SELECT", "INSERT", "UPDATE"].map { ($0, try row.read([String].self)) }
        return try Row(name: name, columns: columns.filter { !$0.1.isEmpty }, whole: row.read())
    }
}

/// The functions that a role may call, by name.
private struct FindFunctions: Statement {
    static let sql = """
        SELECT p.oid::regprocedure::text FROM pg_proc p, aclexplode(p.proacl) AS acl
        WHERE p.pronamespace = 'public'::regnamespace AND acl.grantee = $1::text::regrole ORDER BY 1
        """
    let role: String
    func bind(_ parameters: inout Parameters) { parameters.append(role) }
    static func decode(_ row: inout RowReader) throws -> String { try row.read() }
}

private struct FindSequences: Statement {
    static let sql = """
        SELECT c.relname::text, acl.privilege_type FROM pg_class c, aclexplode(c.relacl) AS acl
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'S' AND acl.grantee = $1::text::regrole ORDER BY 1, 2
        """
    let role: String
    func bind(_ parameters: inout Parameters) { parameters.append(role) }
    static func decode(_ row: inout RowReader) throws -> (sequence: String, privilege: String) {
        try (row.read(), row.read())
    }
}
