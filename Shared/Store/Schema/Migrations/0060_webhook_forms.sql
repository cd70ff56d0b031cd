-- The form of what a webhook is sent. A form, and the type of what a template makes, are words of the programs'; a template is sealed like a
-- secret, since it may well hold a token of its receiver's.
ALTER TABLE endpoint
    ADD COLUMN form text NOT NULL DEFAULT 'standard' CHECK (form ~ '^[a-zA-Z]{1,32}$'),
    ADD COLUMN sealed_template bytea CHECK (length(sealed_template) BETWEEN 1 AND 4200), -- 4096 bytes, and what sealing adds
    ADD COLUMN template_type text CHECK (template_type ~ '^[a-z]{1,32}/[a-z-]{1,64}$'),
    ADD CONSTRAINT endpoint_form_of_webhook CHECK (form = 'standard' OR channel = 'webhook'),
    ADD CONSTRAINT endpoint_template_is_whole CHECK (
        (form = 'template') = (sealed_template IS NOT NULL) AND (form = 'template') = (template_type IS NOT NULL));
GRANT UPDATE (form, sealed_template, template_type) ON endpoint TO aqua_gateway;
