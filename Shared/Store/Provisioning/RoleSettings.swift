import Postgres

/// Settings of the services' roles, brought to what the migrations made them.
///
/// PostgreSQL keeps a role's settings outside the database, so a dump of the database does not carry them, and a restored
/// installation would lack them. Nothing is altered where they hold already, because two databases of one
/// cluster that altered a role at once would disturb each other.
package struct EnsureRoleSettings: Statement {
    package static let sql = """
        DO $$
        DECLARE
            role text;
            setting text;
        BEGIN
            FOR role, setting IN
                SELECT r, s
                FROM unnest(ARRAY['aqua_ingestor', 'aqua_rules', 'aqua_notifier']) AS r,
                    unnest(ARRAY['idle_in_transaction_session_timeout=10s', 'enable_seqscan=off', 'jit=off']) AS s
                WHERE NOT EXISTS (
                    SELECT FROM pg_db_role_setting
                    WHERE setrole = to_regrole(r) AND setdatabase = 0 AND s = ANY (setconfig))
            LOOP
                EXECUTE format(
                    'ALTER ROLE %I SET %I = %L', role, split_part(setting, '=', 1), split_part(setting, '=', 2));
            END LOOP;
        END
        $$
        """

    package init() {}
}
