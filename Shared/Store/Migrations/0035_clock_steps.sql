-- A device's clock that is put back: its people and the operator see when, and by how much.

LOCK TABLE device_clock IN ACCESS EXCLUSIVE MODE;

-- When an engine last saw that it was put back, by the database's clock; NULL: not since it was found to be wrong.
ALTER TABLE device_clock ADD COLUMN stepped_at timestamptz;

-- The clocks of a person's devices that are wrong, or not known to be right. What happened in the time of an owner before is told
-- to nobody any more.
CREATE VIEW person_clock AS
    SELECT o.slot, o.device_id, c.lag_seconds,
        CASE WHEN c.stepped_at >= o.linked_at THEN c.stepped_at END AS stepped_at
    FROM ownership o
    JOIN device_clock c ON c.slot = o.slot AND c.device_id = o.device_id
    WHERE o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL;

GRANT SELECT ON person_clock TO aqua_gateway;
