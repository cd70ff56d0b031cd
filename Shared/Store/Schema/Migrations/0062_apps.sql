-- When whoever is there said last that an endpoint is theirs; NULL: when it was registered. An app says so at each start. Apple says that
-- a token has ended, and since when: of one that the app has named since then that is not so any more.
ALTER TABLE endpoint ADD COLUMN confirmed_at timestamptz;

-- The apps that the Notifiers can send to, as they announce them: the Gateways register no others.
CREATE TABLE app_channel (
    channel text PRIMARY KEY CHECK (channel ~ '^[a-zA-Z]{1,32}$'),
    app text NOT NULL CHECK (length(app) BETWEEN 1 AND 255), -- its name at the push service: a bundle id, or a project
    announced_at timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT, INSERT, UPDATE, DELETE ON app_channel TO aqua_notifier;
GRANT SELECT ON app_channel TO aqua_gateway;
INSERT INTO growth_bound (held, grown_by, of_each, a_day, in_all, kept_by) VALUES
    ('app_channel', 'service', NULL, NULL, NULL, 'one a channel of the configuration');
