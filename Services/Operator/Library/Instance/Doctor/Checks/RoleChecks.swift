import Postgres

/// Looks whether each service's role has the rights that it needs and no others.
struct RoleChecks {
    let connection: PostgresConnection

    private static let topic = "roles"

    func run() async throws -> [Finding] {
        let roles = try await connection.execute(InspectRoles(roles: ServiceRights.roles))
        let grants = try await connection.execute(ListGrants(roles: ServiceRights.roles))
        var findings: [Finding] = []
        for role in roles {
            let granted = Set(grants.filter { $0.role == role.role }.map(\.right))
            let faults =
                role.exists ? Self.faults(of: role) + Self.faults(of: role.role, granted) : [Self.missing(role.role)]
            findings += faults.isEmpty ? [.ok(Self.topic, "\(role.role) may do what it needs and no more")] : faults
        }
        findings += try await everybody()
        let existing = roles.filter(\.exists).map(\.role)
        let gateway = existing.filter { $0 == ServiceRights.gateway }
        for missing in try await connection.execute(
            FindMissingRoleSettings(roles: existing, settings: ServiceRights.settings))
            + connection.execute(FindMissingRoleSettings(roles: gateway, settings: ServiceRights.gatewaySettings))
        {
            findings.append(
                .wrong(
                    Self.topic, "\(missing.role) lacks its setting \(missing.setting)",
                    mend: "\(Self.preparing) run: ALTER ROLE \(missing.role) SET "
                        + "\(missing.setting.replacing("=", with: " = '", maxReplacements: 1))';"))
        }
        for grant in grants where grant.role == "PUBLIC" {
            findings.append(
                .wrong(
                    Self.topic, "everybody may \(grant.right.privilege) on \(grant.right.object)",
                    mend: "Run in psql: REVOKE \(grant.right.clause) FROM PUBLIC;"))
        }
        return findings
    }

    /// Advice for faults that only a superuser can mend. The step that prepares the database mends them; a new cluster
    /// has not had it.
    private static let preparing =
        "deploy/containers/roles does it (docker compose run --rm roles); or as a superuser"

    private static func missing(_ role: String) -> Finding {
        .wrong(
            topic, "the role \(role) does not exist",
            mend: "\(preparing) run: CREATE ROLE \(role) LOGIN; then grant what the doctor lists."
        )
    }

    /// Looks at rights that were granted to no service by name: the owner's attributes and the rights of `PUBLIC`.
    private func everybody() async throws -> [Finding] {
        guard let found = try await connection.execute(InspectEverybody()).first else { return [] }
        var findings: [Finding] = []
        let owner = try await connection.execute(InspectRoles(roles: [found.owner])).first
        for attribute in owner?.attributes ?? [] where attribute != "SUPERUSER" {
            findings.append(
                .wrong(
                    Self.topic, "\(found.owner), who owns the database, is \(attribute): that reaches beyond it",
                    mend: "\(Self.preparing) run: ALTER ROLE \(found.owner) NO\(attribute);"))
        }
        for privilege in found.privileges {
            findings.append(
                .wrong(
                    Self.topic, "everybody may \(privilege) on the database",
                    mend: "Run in psql: REVOKE \(privilege) ON DATABASE \(found.database) FROM PUBLIC;"))
        }
        if found.makesLargeObjects {
            findings.append(
                .wrong(
                    Self.topic, "everybody may make large objects, without a bound",
                    mend:
                        "\(Self.preparing) run: REVOKE ALL ON FUNCTION lo_creat, lo_create, lo_from_bytea, lo_put FROM PUBLIC;"
                ))
        }
        if found.takesAdvisoryLocks {
            findings.append(
                .wrong(
                    Self.topic, "everybody may take the advisory locks by which services take turns, and stop them",
                    mend:
                        "\(Self.preparing) revoke EXECUTE on pg_catalog's functions pg_advisory_* and pg_try_advisory_* "
                        + "from PUBLIC, and grant it to \(found.owner) and to the services but the Gateway."))
        }
        if !found.endsHolders {
            findings.append(
                .wrong(
                    Self.topic,
                    "engines cannot end transactions of \(ServiceRights.gateway) that hold everybody's alarms up",
                    mend: "\(Self.preparing) run: GRANT \(ServiceRights.gateway) TO \(found.owner);"))
        }
        return findings
    }

    private static func faults(of role: InspectRoles.Row) -> [Finding] {
        var faults: [Finding] = []
        if !role.canLogIn {
            faults.append(
                .wrong(topic, "\(role.role) may not log in", mend: "As a superuser run: ALTER ROLE \(role.role) LOGIN;")
            )
        }
        if role.exists, role.connections < 0, !role.attributes.contains("SUPERUSER") {
            faults.append(
                .wrong(
                    topic, "\(role.role) may take all connections of the server",
                    mend: "\(preparing) run: ALTER ROLE \(role.role) CONNECTION LIMIT 25;"))
        }
        for attribute in role.attributes {
            faults.append(
                .wrong(
                    topic, "\(role.role) is \(attribute), which no service needs",
                    mend: "As a superuser run: ALTER ROLE \(role.role) NO\(attribute);"))
        }
        for group in role.memberships {
            faults.append(
                .wrong(
                    topic, "\(role.role) is a member of \(group) and has its rights",
                    mend: "As a superuser run: REVOKE \(group) FROM \(role.role);"))
        }
        if role.readsPasswordHashes {
            faults.append(
                .wrong(
                    topic, "\(role.role) can read password hashes",
                    mend: "Take away the right, the membership or the attribute that is listed besides."))
        }
        if role.createsTables {
            faults.append(
                .wrong(
                    topic, "\(role.role) can create tables and functions",
                    mend: "Run in psql: REVOKE CREATE ON SCHEMA public FROM PUBLIC, \(role.role);"))
        }
        return faults
    }

    private static func faults(of role: String, _ granted: Set<ServiceRights.Right>) -> [Finding] {
        let expected = ServiceRights.expected(of: role)
        let lacking = expected.subtracting(granted).map {
            Finding.wrong(
                topic, "\(role) lacks \($0.privilege) on \($0.object)",
                mend: "Run in psql: GRANT \($0.clause) TO \(role);")
        }
        let extra = granted.subtracting(expected).map {
            Finding.wrong(
                topic, "\(role) may \($0.privilege) on \($0.object), which it does not need",
                mend: "Run in psql: \(ServiceRights.revocation(of: $0, from: role))")
        }
        return (lacking + extra).sorted { $0.finding < $1.finding }
    }
}
