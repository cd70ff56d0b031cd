-- What a database holds, one fact a line: what deploy/backup writes beside a dump, and deploy/restore compares.
SET timezone = 'UTC';
SELECT 'schema ' || max(number) FROM schema_migration;
SELECT 'newest ' || name || ' ' || coalesce(to_char(at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'none') FROM (VALUES
    ('account', (SELECT max(created_at) FROM account)),
    ('alert', (SELECT max(decided_at) FROM alert)),
    ('sample', (SELECT max(received_at) FROM sample))) AS newest (name, at);
SELECT format('SELECT ''rows %s '' || count(*) FROM %I.%I', relname, nspname, relname)
FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
WHERE nspname = 'public' AND relkind IN ('r', 'p') AND NOT relispartition
ORDER BY relname \gexec
