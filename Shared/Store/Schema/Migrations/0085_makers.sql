-- Who made a token of a project's, so that it ends with their right to make one. Nothing refers to the account: closing it takes the number away.
ALTER TABLE personal_token ADD COLUMN made_by bigint; -- NULL: a person's own token, or nobody is known
CREATE INDEX personal_token_made_by ON personal_token (made_by) WHERE made_by IS NOT NULL;
UPDATE personal_token t SET made_by = e.actor_id
FROM audit_entry e JOIN account a ON a.account_id = e.account_id AND a.kind = 'project'
WHERE e.action = 'token.make' AND e.actor_id <> e.account_id AND t.account_id = e.account_id AND e.target = t.token_id::text;

-- The session in which the identity was linked that opened this one, also when the identity is gone: what is taken back with the one is with the other.
ALTER TABLE session ADD COLUMN identity_made_in uuid; -- NULL: opened by the password, or by an identity that was linked in no session
CREATE INDEX session_follows ON session (account_id, identity_made_in) WHERE identity_made_in IS NOT NULL;
UPDATE session s SET identity_made_in = i.made_in FROM account_identity i WHERE i.identity_id = s.identity_id AND i.made_in IS NOT NULL;
