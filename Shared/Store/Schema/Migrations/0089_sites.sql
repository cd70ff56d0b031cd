-- Devices of one owner that fall silent at once are told as one thing. The alert of each says which others it is of: its row about the site, with the
-- names of ten devices at most that are still silent when others are back.
ALTER TABLE alert DROP CONSTRAINT alert_about;
ALTER TABLE alert ADD CONSTRAINT alert_about CHECK (
    cardinality(about) BETWEEN 1 AND 13
    AND length(array_to_string(about, '')) <= CASE kind
        WHEN 'summary' THEN 40000 WHEN 'care' THEN 8000 WHEN 'silence' THEN 4000 ELSE 600 END) NOT VALID;
ALTER TABLE alert DROP CONSTRAINT alert_note_is_one;
ALTER TABLE alert ADD CONSTRAINT alert_note_is_one CHECK (
    CASE WHEN purpose = 'note' THEN about IS NOT NULL ELSE about IS NULL OR kind = 'silence' AND parameter IS NULL END
    AND (purpose IN ('test', 'note')) = (device_id IS NULL)) NOT VALID;

-- Engines look for the devices of a project, and name those that are still silent as their person does.
GRANT SELECT (project_id, name) ON ownership TO aqua_rules;
