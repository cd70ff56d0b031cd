import Postgres

/// The attributes and memberships of the services' roles: rights that no grant shows.
struct InspectRoles: Statement {
    static let sql = """
        SELECT service, r.oid IS NOT NULL, coalesce(r.rolcanlogin, false),
            array_remove(ARRAY[
                CASE WHEN r.rolsuper THEN 'SUPERUSER' END, CASE WHEN r.rolcreaterole THEN 'CREATEROLE' END,
                CASE WHEN r.rolcreatedb THEN 'CREATEDB' END, CASE WHEN r.rolbypassrls THEN 'BYPASSRLS' END,
                CASE WHEN r.rolreplication THEN 'REPLICATION' END], NULL),
            ARRAY(SELECT g.rolname::text FROM pg_auth_members m JOIN pg_roles g ON g.oid = m.roleid WHERE m.member = r.oid
                ORDER BY 1),
            coalesce(has_column_privilege(r.oid, 'account', 'password_hash', 'SELECT'), false),
            coalesce(has_schema_privilege(r.oid, 'public', 'CREATE'), false), coalesce(r.rolconnlimit, -1)
        FROM unnest($1::text[]) AS service LEFT JOIN pg_roles r ON r.rolname = service
        """

    struct Row: Sendable {
        var role: String
        var exists: Bool
        var canLogIn: Bool
        /// Attributes such as SUPERUSER that bypass grants.
        var attributes: [String]
        /// Roles whose rights are inherited.
        var memberships: [String]
        var readsPasswordHashes: Bool
        var createsTables: Bool
        /// The limit on connections; -1 for none.
        var connections: Int32
    }

    let roles: [String]
    func bind(_ parameters: inout Parameters) { parameters.append(roles) }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            role: row.read(), exists: row.read(), canLogIn: row.read(), attributes: row.read(), memberships: row.read(),
            readsPasswordHashes: row.read(), createsTables: row.read(), connections: row.read())
    }
}

/// Settings of roles that are missing, as `role`, `setting=value`.
struct FindMissingRoleSettings: Statement {
    static let sql = """
        SELECT role, setting FROM unnest($1::text[]) AS role, unnest($2::text[]) AS setting
        WHERE NOT EXISTS (
            SELECT FROM pg_db_role_setting s JOIN pg_roles r ON r.oid = s.setrole
            WHERE r.rolname = role AND setting = ANY (s.setconfig)
                AND s.setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database())))
        ORDER BY role, setting
        """

    let roles: [String]
    let settings: [String]

    func bind(_ parameters: inout Parameters) {
        parameters.append(roles)
        parameters.append(settings)
    }

    static func decode(_ row: inout RowReader) throws -> (role: String, setting: String) {
        try (row.read(), row.read())
    }
}

/// The rights of `PUBLIC` on this database itself, whether `PUBLIC` may make large objects and take advisory locks, and
/// whether the owner may end the Gateway's connections.
struct InspectEverybody: Statement {
    static let sql = """
        SELECT ARRAY(
                SELECT privilege_type FROM pg_database d, aclexplode(coalesce(d.datacl, acldefault('d', d.datdba)))
                WHERE d.datname = current_database() AND grantee = 0 ORDER BY 1),
            EXISTS (
                SELECT FROM pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner)))
                WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.proname IN ('lo_creat', 'lo_create', 'lo_from_bytea', 'lo_put')
                    AND grantee = 0),
            EXISTS (
                SELECT FROM pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner)))
                WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.proname ~ '^pg_(try_)?advisory_' AND grantee = 0),
            coalesce(pg_has_role(current_user, to_regrole('aqua_gateway'), 'USAGE'), false),
            current_database()::text, current_user::text
        """

    struct Row: Sendable {
        var privileges: [String]
        var makesLargeObjects: Bool
        var takesAdvisoryLocks: Bool
        /// Whether the owner may end the Gateway's connections.
        var endsHolders: Bool
        var database: String
        /// The role of this connection: the database's owner.
        var owner: String
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            privileges: row.read(), makesLargeObjects: row.read(), takesAdvisoryLocks: row.read(),
            endsHolders: row.read(), database: row.read(), owner: row.read())
    }
}

/// The grants of the services' roles and of `PUBLIC` on the tables, columns, sequences and privileged functions of this
/// schema. A partition counts as an object of its own, although queries reach it through its parent.
struct ListGrants: Statement {
    static let sql = """
        WITH granted AS (
            SELECT c.relname::text AS object, (aclexplode(c.relacl)).* FROM pg_class c
            WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'S')
            UNION ALL
            SELECT c.relname || '(' || a.attname || ')', (aclexplode(a.attacl)).*
            FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
            WHERE c.relnamespace = 'public'::regnamespace AND NOT a.attisdropped
            UNION ALL
            SELECT p.proname::text, (aclexplode(coalesce(p.proacl, acldefault('f', p.proowner)))).* FROM pg_proc p
            WHERE p.pronamespace = 'public'::regnamespace AND p.prosecdef
        )
        SELECT coalesce(r.rolname::text, 'PUBLIC'), g.privilege_type, g.object
        FROM granted g LEFT JOIN pg_roles r ON r.oid = g.grantee
        WHERE g.grantee = 0 OR r.rolname = ANY ($1::text[])
        ORDER BY 1, 3, 2
        """

    let roles: [String]
    func bind(_ parameters: inout Parameters) { parameters.append(roles) }

    static func decode(_ row: inout RowReader) throws -> (role: String, right: ServiceRights.Right) {
        let role: String = try row.read()
        return try (role, ServiceRights.Right(privilege: row.read(), object: row.read()))
    }
}
