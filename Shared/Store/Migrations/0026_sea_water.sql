-- Limits of salinity reach to sea water: 42 ppt, as far as the scales of salinity hold, in place of 20. The rest is as it was.
ALTER TABLE setting
    DROP CONSTRAINT setting_absolute_range,
    ADD CONSTRAINT setting_absolute_range CHECK (
        CASE parameter
            WHEN 0 THEN coalesce(minimum, 0) BETWEEN -400 AND 400 AND coalesce(maximum, 0) BETWEEN -400 AND 400
            WHEN 1 THEN coalesce(minimum, 10) BETWEEN 10 AND 140 AND coalesce(maximum, 10) BETWEEN 10 AND 140
            WHEN 2 THEN coalesce(maximum, 0) BETWEEN 0 AND 80
            WHEN 3 THEN coalesce(minimum, 0) BETWEEN 0 AND 2000 AND coalesce(maximum, 0) BETWEEN 0 AND 2000
            WHEN 4 THEN coalesce(maximum, 0) BETWEEN 0 AND 80
            WHEN 5 THEN coalesce(minimum, 0) BETWEEN 0 AND 1000 AND coalesce(maximum, 0) BETWEEN 0 AND 1000
            WHEN 6 THEN coalesce(minimum, 0) BETWEEN 0 AND 1000 AND coalesce(maximum, 0) BETWEEN 0 AND 1000
            WHEN 7 THEN coalesce(minimum, 0) BETWEEN 0 AND 200 AND coalesce(maximum, 0) BETWEEN 0 AND 200
            WHEN 8 THEN coalesce(minimum, 0) BETWEEN 0 AND 420 AND coalesce(maximum, 0) BETWEEN 0 AND 420
        END);
