-- Changes of a way to reach a person are events of the account, like its coming and going: what they were is a word of the programs'.
ALTER TABLE account_event
    DROP CONSTRAINT account_event_kind_check,
    ADD CONSTRAINT account_event_kind_check CHECK (kind ~ '^[a-zA-Z]{1,32}$'),
    ADD COLUMN detail text CHECK (detail ~ '^[a-zA-Z]{1,32}$'); -- what was chosen: of a form its name

-- How an endpoint was before a session changed it, so that the person can take that back: the form of what it is sent, with a template sealed
-- as the one in use, and what it is told.
ALTER TABLE endpoint
    ADD COLUMN form_changed_in uuid, -- the session that changed the form last; it ends before the endpoint does, so that nothing refers to its row
    ADD COLUMN former_form text CHECK (former_form ~ '^[a-zA-Z]{1,32}$'),
    ADD COLUMN former_template bytea CHECK (length(former_template) BETWEEN 1 AND 4200),
    ADD COLUMN former_template_type text CHECK (former_template_type ~ '^[a-z]{1,32}/[a-z-]{1,64}$'),
    ADD COLUMN told_changed_in uuid, -- the session that changed last what it is told, and when
    ADD COLUMN former_only_urgent boolean,
    ADD COLUMN former_rings_always boolean,
    ADD CONSTRAINT endpoint_former_form_is_whole CHECK (
        (form_changed_in IS NULL) = (former_form IS NULL)
        AND (former_form IS NOT DISTINCT FROM 'template') = (former_template IS NOT NULL)
        AND (former_template IS NULL) = (former_template_type IS NULL)),
    ADD CONSTRAINT endpoint_formerly_told_is_whole CHECK (
        (told_changed_in IS NULL) = (former_only_urgent IS NULL) AND (told_changed_in IS NULL) = (former_rings_always IS NULL));
