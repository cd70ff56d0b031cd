-- Makes the monthly partitions (UTC) of sample_hour that are missing between two days of the past, both included: whoever takes over
-- past data needs months in which nothing was measured here. Only months that are kept. It is for the owner alone.
CREATE FUNCTION make_past_hour_partitions(from_day date, until_day date) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp SET lock_timeout = '3s' AS $$
DECLARE
    month timestamp;
    partition text;
    made integer := 0;
BEGIN
    IF until_day > (now() AT TIME ZONE 'UTC')::date OR from_day < (
        SELECT date_trunc('month', (now() - keep) AT TIME ZONE 'UTC')::date FROM retention WHERE kind = 'hours')
    THEN
        RAISE EXCEPTION 'no hours of these days are kept';
    END IF;
    PERFORM pg_advisory_xact_lock(7133701);
    FOR month IN
        SELECT generate_series(date_trunc('month', from_day::timestamp), until_day::timestamp, '1 month')
    LOOP
        partition := 'sample_hour_' || to_char(month, 'YYYYMM');
        CONTINUE WHEN to_regclass(format('public.%I', partition)) IS NOT NULL;
        EXECUTE format('CREATE TABLE public.%I (LIKE public.sample_hour INCLUDING ALL)', partition);
        PERFORM tune_sample_partition(partition);
        EXECUTE format(
            'ALTER TABLE public.sample_hour ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)', partition,
            month AT TIME ZONE 'UTC', (month + interval '1 month') AT TIME ZONE 'UTC');
        made := made + 1;
    END LOOP;
    RETURN made;
END
$$;
REVOKE ALL ON FUNCTION make_past_hour_partitions(date, date) FROM PUBLIC;
