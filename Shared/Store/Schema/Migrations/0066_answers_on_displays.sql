-- What a device shows says of each alarm who is on it: of one answer the function did not say what it answers.
DROP FUNCTION IF EXISTS read_displays(smallint[], integer[]);
-- A button snoozes what goes on, and not what comes after it.
DROP FUNCTION IF EXISTS snooze_for_an_hour(smallint, integer, text, smallint, text, bigint);
