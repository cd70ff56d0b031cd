-- An engine tells the end of what has come to somebody, wherever else it is still on its way.
GRANT SELECT (slot, alert_id, state) ON delivery TO aqua_rules;
