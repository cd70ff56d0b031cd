import Postgres

/// Every object of a schema with its definition, and the rows that a schema begins with: tables, columns in their order, constraints, indexes,
/// views, functions, triggers, policies, rights, sequences. Partitions are left out: which there are depends on the day.
struct DescribeSchema: Statement {
    static let sql = """
        WITH relation AS (
            SELECT c.* FROM pg_class c
            WHERE c.relnamespace = 'public'::regnamespace AND NOT c.relispartition
                AND NOT EXISTS (SELECT FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid WHERE i.indexrelid = c.oid AND t.relispartition)
        ), granted AS (
            SELECT 'right on ' || c.relname AS object, acl.* FROM relation c, aclexplode(coalesce(c.relacl, acldefault(CASE c.relkind WHEN 'S' THEN 's'::"char" ELSE 'r'::"char" END, c.relowner))) AS acl
            WHERE c.relkind NOT IN ('i', 'I')
            UNION ALL
            SELECT format('right on %s(%s)', c.relname, a.attname), acl.* FROM relation c JOIN pg_attribute a ON a.attrelid = c.oid, aclexplode(a.attacl) AS acl
            UNION ALL
            SELECT 'right on ' || p.oid::regprocedure, acl.* FROM pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) AS acl
            WHERE p.pronamespace = 'public'::regnamespace
            UNION ALL
            SELECT 'right on schema', acl.* FROM pg_namespace n, aclexplode(n.nspacl) AS acl WHERE n.nspname = 'public'
            UNION ALL
            SELECT 'right on database', acl.* FROM pg_database d, aclexplode(d.datacl) AS acl WHERE d.datname = current_database()
        )
        SELECT format('relation %s', c.relname), concat_ws(' ', c.relkind, c.relpersistence, (SELECT string_agg(o, ',' ORDER BY o) FROM unnest(c.reloptions) AS o), c.relreplident,
            CASE WHEN c.relrowsecurity THEN 'row security' END, CASE WHEN c.relforcerowsecurity THEN 'forced' END,
            pg_get_partkeydef(c.oid), (SELECT t.reloptions::text FROM pg_class t WHERE t.oid = c.reltoastrelid),
            pg_get_userbyid(c.relowner), CASE c.relkind WHEN 'v' THEN pg_get_viewdef(c.oid) END,
            CASE WHEN c.relkind IN ('i', 'I') THEN pg_get_indexdef(c.oid) END,
            (SELECT concat_ws(' ', i.indisunique, i.indisprimary, i.indisvalid, i.indisreplident, i.indisclustered) FROM pg_index i WHERE i.indexrelid = c.oid))
        FROM relation c
        UNION ALL
        SELECT format('column %s.%s', c.relname, a.attname), concat_ws(' ',
            row_number() OVER (PARTITION BY c.oid ORDER BY a.attnum), format_type(a.atttypid, a.atttypmod), CASE WHEN a.attnotnull THEN 'NOT NULL' END,
            a.attidentity, a.attgenerated, a.attstorage, a.attcompression, a.attstattarget, a.attcollation::regcollation, a.attoptions::text,
            (SELECT 'DEFAULT ' || pg_get_expr(d.adbin, d.adrelid) FROM pg_attrdef d WHERE d.adrelid = c.oid AND d.adnum = a.attnum))
        FROM relation c JOIN pg_attribute a ON a.attrelid = c.oid WHERE c.relkind IN ('r', 'p', 'v') AND a.attnum > 0 AND NOT a.attisdropped
        UNION ALL
        SELECT format('constraint %s.%s', c.relname, k.conname), concat_ws(' ', pg_get_constraintdef(k.oid), k.convalidated, k.connoinherit)
        FROM relation c JOIN pg_constraint k ON k.conrelid = c.oid
        UNION ALL
        SELECT format('function %s', p.oid::regprocedure), pg_get_functiondef(p.oid) || pg_get_userbyid(p.proowner)
        FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace AND p.prokind <> 'a'
        UNION ALL
        SELECT format('trigger %s.%s', c.relname, t.tgname), concat_ws(' ', pg_get_triggerdef(t.oid), t.tgenabled)
        FROM relation c JOIN pg_trigger t ON t.tgrelid = c.oid WHERE NOT t.tgisinternal
        UNION ALL
        SELECT format('policy %s.%s', p.tablename, p.policyname), concat_ws(' ', p.permissive, p.roles::text, p.cmd, p.qual, 'check', p.with_check)
        FROM pg_policies p WHERE p.schemaname = 'public'
        UNION ALL
        SELECT format('sequence %s', s.seqrelid::regclass), concat_ws(' ', s.seqtypid::regtype, s.seqstart, s.seqincrement, s.seqmax, s.seqmin, s.seqcache, s.seqcycle,
            (SELECT concat_ws('.', d.refobjid::regclass, d.refobjsubid, d.deptype) FROM pg_depend d WHERE d.objid = s.seqrelid AND d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_class'::regclass AND d.deptype IN ('a', 'i')))
        FROM pg_sequence s
        UNION ALL
        SELECT object, string_agg(format('%s %s%s', CASE grantee WHEN 0 THEN 'PUBLIC' ELSE pg_get_userbyid(grantee) END, privilege_type, CASE WHEN is_grantable THEN ' grantable' ELSE '' END), ', '
            ORDER BY grantee = 0, pg_get_userbyid(grantee), privilege_type)
        FROM granted GROUP BY object
        UNION ALL
        SELECT format('comment %s', pg_describe_object(d.classoid, d.objoid, d.objsubid)), d.description FROM pg_description d
            JOIN relation c ON c.oid = d.objoid
        UNION ALL
        SELECT format('type %s', t.typname), t.typtype::text FROM pg_type t WHERE t.typnamespace = 'public'::regnamespace AND t.typtype IN ('d', 'e', 'r', 'm')
        UNION ALL
        SELECT format('extension %s', e.extname), '' FROM pg_extension e
        UNION ALL
        SELECT format('default right %s', d.defaclobjtype), d.defaclacl::text FROM pg_default_acl d
        UNION ALL
        SELECT 'row growth_bound ' || held, g::text FROM growth_bound g
        UNION ALL
        SELECT 'row retention ' || kind, r::text FROM retention r
        UNION ALL
        SELECT 'rows of slots', format('%s %s %s', (SELECT count(*) FROM slot), (SELECT count(*) FROM slot_rules), count(*))
        FROM rollup_progress WHERE judged_since = '-infinity' AND outside_since = '-infinity'
        """

    static func decode(_ row: inout RowReader) throws -> (object: String, definition: String) {
        try (row.read(), row.read())
    }
}

extension PostgresConnection {
    func describeSchema() async throws -> [String: String] {
        Dictionary(uniqueKeysWithValues: try await execute(DescribeSchema()).map { ($0.object, $0.definition) })
    }
}
