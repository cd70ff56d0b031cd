-- Whether an endpoint is told of nothing but what is critical, how that goes on and ends, and calls because nobody answers. Machines listen
-- behind webhooks, which are told everything.
ALTER TABLE endpoint
    ADD COLUMN only_urgent boolean NOT NULL DEFAULT false,
    ADD CONSTRAINT endpoint_webhook_is_told_all CHECK (NOT (only_urgent AND channel = 'webhook'));
GRANT UPDATE (only_urgent) ON endpoint TO aqua_gateway;
