-- Limits that hold at other times than a setting's plain ones (Scripts/limits.sql), as a part of its version, so that they go wherever it goes:
--     {"zone": "Europe/Madrid", "periods": [{"from": 240, "until": 420, "first": 1101, "last": 315, "minimum": 450, "maximum": 900}]}
-- Minutes of the day, also past midnight; month and day, also past the new year; limits in sensor steps, as beside it. A key that is missing: all
-- day, all year, no limit. NULL: the plain limits hold at all times.
ALTER TABLE setting ADD COLUMN periods jsonb;
ALTER TABLE setting ADD CONSTRAINT setting_periods CHECK (
    periods IS NULL OR jsonb_typeof(periods -> 'zone') = 'string' AND jsonb_typeof(periods -> 'periods') = 'array'
        AND jsonb_array_length(periods -> 'periods') BETWEEN 1 AND 4 AND length(periods::text) <= 1200
        AND NOT periods @? '$.periods[*] ? (
            exists(@.from) && !exists(@.until) || exists(@.until) && !exists(@.from) || exists(@.first) && !exists(@.last)
            || exists(@.last) && !exists(@.first) || !exists(@.from) && !exists(@.first)
            || @.from < 0 || @.from > 1439 || @.until < 0 || @.until > 1439 || @.from == @.until
            || @.first < 101 || @.first > 1231 || @.last < 101 || @.last > 1231)') NOT VALID;
ALTER TABLE setting ADD CONSTRAINT setting_periods_limits CHECK (
    periods IS NULL OR NOT periods @? '$.periods[*] ? (
        @.minimum >= @.maximum || exists(@.criticalMinimum) && !exists(@.minimum) || @.criticalMinimum >= @.minimum
        || exists(@.criticalMaximum) && !exists(@.maximum) || @.criticalMaximum <= @.maximum)') NOT VALID;
GRANT SELECT (periods) ON setting TO aqua_ingestor;

-- What the limit that an alarm names is of: a time of day, or a season. NULL: it is the plain one.
ALTER TABLE alert ADD COLUMN limit_time text;
ALTER TABLE alert ADD CONSTRAINT alert_limit_time CHECK (limit_time IN ('hours', 'season')) NOT VALID;
-- An alarm that is still on its way names the limit of its newest value.
GRANT UPDATE (limit_value, limit_time) ON alert TO aqua_rules;
