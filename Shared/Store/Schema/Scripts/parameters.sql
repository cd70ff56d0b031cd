-- What follows from the catalogue of parameters (Shared/WaterQuality/Parameters) in rights, constraints and settings. A new parameter needs a
-- migration that adds its columns, SELECT add_parameter('its_name'), and nothing here.

-- In the order in which others lock them: an engine takes its slots before anything else.
LOCK TABLE slot, alert, setting, episode, throttle IN ACCESS EXCLUSIVE MODE;

-- The columns of a message's values, which the rest of the message fills in.
GRANT UPDATE (
    --% each parameter, joined by ","
    {column}
    --% end
) ON sample TO aqua_ingestor;

-- Limits are within what the sensor measures, in whole sensor steps.
ALTER TABLE setting
    DROP CONSTRAINT IF EXISTS setting_parameter_check, ADD CONSTRAINT setting_parameter_check CHECK (parameter BETWEEN 0 AND {last}),
    DROP CONSTRAINT IF EXISTS setting_position_check, ADD CONSTRAINT setting_position_check CHECK (position BETWEEN 0 AND {last}),
    DROP CONSTRAINT IF EXISTS setting_has_no_minimum,
    ADD CONSTRAINT setting_has_no_minimum CHECK (minimum IS NULL OR parameter NOT IN (
        --% each parameter without a minimum, joined by ","
        {number}
        --% end
    )),
    DROP CONSTRAINT IF EXISTS setting_absolute_range,
    ADD CONSTRAINT setting_absolute_range CHECK (
        CASE parameter
            --% each parameter
            WHEN {number} THEN minimum BETWEEN {least} AND {most} AND maximum BETWEEN {least} AND {most}
            --% end
        END);

-- Not validated: the numbers of parameters grow and never shrink, and these tables are long.
ALTER TABLE episode DROP CONSTRAINT IF EXISTS episode_parameter_check,
    ADD CONSTRAINT episode_parameter_check CHECK (parameter BETWEEN 0 AND {last}) NOT VALID;
ALTER TABLE throttle DROP CONSTRAINT IF EXISTS throttle_parameter_check,
    ADD CONSTRAINT throttle_parameter_check CHECK (parameter BETWEEN 0 AND {last}) NOT VALID;
ALTER TABLE alert DROP CONSTRAINT IF EXISTS alert_parameter_check,
    ADD CONSTRAINT alert_parameter_check CHECK (parameter BETWEEN 0 AND {last}) NOT VALID;

-- Who has a device has a setting of each parameter. One of a parameter that is new has no limits, which changes no rules.
ALTER TABLE setting DISABLE TRIGGER setting_changes_rules;
INSERT INTO setting (slot, device_id, account_id, parameter, version, unit, colour, position, follows)
SELECT o.slot, o.device_id, o.account_id, n.parameter, 1, n.unit, n.colour, n.parameter, o.project_id IS NOT NULL AND o.role = 'watcher'
FROM ownership o CROSS JOIN (VALUES
    --% each parameter, joined by ","
    ({number}::smallint, '{unit}', '{colour}')
    --% end
) AS n (parameter, unit, colour)
WHERE o.unlinked_at IS NULL AND NOT EXISTS (
    SELECT FROM setting s
    WHERE s.slot = o.slot AND s.device_id = o.device_id AND s.account_id = o.account_id AND s.parameter = n.parameter);
ALTER TABLE setting ENABLE ALWAYS TRIGGER setting_changes_rules;
