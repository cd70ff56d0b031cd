-- What a device shows says of each alarm who is on it: of one answer the function did not say what it answers.
DROP FUNCTION read_displays(smallint[], integer[]);
