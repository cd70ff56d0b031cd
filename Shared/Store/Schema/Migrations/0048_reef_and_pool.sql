-- What keepers of reefs and of pools own a probe for, or test.

-- In the order in which others lock them: an engine takes its slots before anything else.
LOCK TABLE slot IN ACCESS EXCLUSIVE MODE;

-- Adds the columns of a parameter: one to sample, five to each roll-up. Everything else that lists parameters follows from the catalogue.
-- For migrations alone.
CREATE FUNCTION add_parameter(name text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    rollup text;
BEGIN
    EXECUTE format('ALTER TABLE public.sample ADD COLUMN %I real', name);
    FOREACH rollup IN ARRAY ARRAY['sample_hour', 'sample_day'] LOOP
        EXECUTE format(
            'ALTER TABLE public.%I ADD COLUMN %I double precision, ADD COLUMN %I real, ADD COLUMN %I real,'
            ' ADD COLUMN %I integer, ADD COLUMN %I integer',
            rollup, name || '_sum', name || '_min', name || '_max', name || '_count', name || '_flagged');
    END LOOP;
END
$$;
REVOKE ALL ON FUNCTION add_parameter(text) FROM PUBLIC;

SELECT add_parameter(name)
FROM unnest(ARRAY['phosphate', 'calcium', 'magnesium', 'potassium', 'iron', 'copper', 'free_chlorine', 'total_chlorine', 'cyanuric_acid'])
    AS name;
