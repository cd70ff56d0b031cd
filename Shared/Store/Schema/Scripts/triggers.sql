-- What happens by itself when a row is written, table by table. The functions stand in the files before. A trigger that is ENABLED ALWAYS fires
-- for rows that arrive by replication, too.

-- account
CREATE OR REPLACE TRIGGER account_time_zone BEFORE INSERT OR UPDATE OF time_zone ON account
    FOR EACH ROW EXECUTE FUNCTION refuse_unknown_time_zone();
CREATE OR REPLACE TRIGGER account_changes_rules AFTER UPDATE OF throttle_seconds ON account
    FOR EACH ROW EXECUTE FUNCTION rules_changed_by_account();
ALTER TABLE account ENABLE ALWAYS TRIGGER account_changes_rules;
CREATE OR REPLACE TRIGGER former_throttle_kept BEFORE UPDATE OF throttle_seconds ON account
    FOR EACH ROW WHEN (OLD.throttle_seconds IS DISTINCT FROM NEW.throttle_seconds) EXECUTE FUNCTION keep_former_throttle();
CREATE OR REPLACE TRIGGER setup_change_told AFTER UPDATE OF settings_version ON account
    FOR EACH ROW WHEN (OLD.settings_version <> NEW.settings_version) EXECUTE FUNCTION setup_was_changed();
CREATE OR REPLACE TRIGGER password_noted AFTER UPDATE OF password_hash ON account
    FOR EACH ROW WHEN (OLD.password_hash IS DISTINCT FROM NEW.password_hash) EXECUTE FUNCTION password_is_noted();
CREATE OR REPLACE TRIGGER links_ended AFTER UPDATE OF password_hash ON account
    FOR EACH ROW WHEN (OLD.password_hash IS DISTINCT FROM NEW.password_hash) EXECUTE FUNCTION links_end_with_password();
CREATE OR REPLACE TRIGGER opening_noted AFTER INSERT ON account
    FOR EACH ROW EXECUTE FUNCTION row_is_noted('account.open', 'locale time_zone', '-', '', '');
CREATE OR REPLACE TRIGGER change_noted AFTER UPDATE OF display_name, locale, time_zone, throttle_seconds ON account
    FOR EACH ROW EXECUTE FUNCTION row_is_noted('account.change', 'display_name locale time_zone throttle_seconds', '-', '', '');
CREATE OR REPLACE TRIGGER operator_noted AFTER UPDATE OF operates ON account
    FOR EACH ROW WHEN (NEW.operates AND NOT OLD.operates) EXECUTE FUNCTION row_is_noted('operator.give', 'operates', '-', '', '');
CREATE OR REPLACE TRIGGER operator_end_noted AFTER UPDATE OF operates ON account
    FOR EACH ROW WHEN (OLD.operates AND NOT NEW.operates) EXECUTE FUNCTION row_is_noted('operator.take', 'operates', '-', '', '');
CREATE OR REPLACE TRIGGER log_erased AFTER DELETE ON account FOR EACH ROW EXECUTE FUNCTION audit_of_person_is_erased();

-- account_invitation, device, retention, growth_bound: what operators do
CREATE OR REPLACE TRIGGER noted AFTER INSERT ON account_invitation
    FOR EACH ROW EXECUTE FUNCTION row_is_noted('account.invite', 'expires_at', '-', 'invitation_id', '');
CREATE OR REPLACE TRIGGER end_noted AFTER DELETE ON account_invitation
    FOR EACH ROW WHEN (OLD.used_at IS NULL) EXECUTE FUNCTION row_is_noted('account.withdraw', '', '-', 'invitation_id', '');
-- a site is noted as it is linked, with its name
CREATE OR REPLACE TRIGGER noted AFTER INSERT ON device
    FOR EACH ROW WHEN (NEW.kind = 'device') EXECUTE FUNCTION row_is_noted('device.add', '', '-', '', '');
CREATE OR REPLACE TRIGGER key_noted AFTER UPDATE OF key_generation ON device
    FOR EACH ROW EXECUTE FUNCTION row_is_noted('device.rotateKey', 'key_generation', '', '', 'shared');
CREATE OR REPLACE TRIGGER change_noted AFTER UPDATE OF keep ON retention
    FOR EACH ROW EXECUTE FUNCTION row_is_noted('retention.change', 'keep', 'kind', '', '');
CREATE OR REPLACE TRIGGER change_noted AFTER UPDATE OF a_day, in_all ON growth_bound
    FOR EACH ROW EXECUTE FUNCTION row_is_noted('bound.change', 'a_day in_all', 'held', '', '');

-- quiet_hours, gathering, summary_choice: what waits for a time of day waits for it anew
CREATE OR REPLACE TRIGGER changed AFTER INSERT OR UPDATE OR DELETE ON quiet_hours FOR EACH ROW EXECUTE FUNCTION quiet_hours_were_changed();
CREATE OR REPLACE TRIGGER quiet_hours_move AFTER UPDATE OF time_zone ON account
    FOR EACH ROW WHEN (OLD.time_zone <> NEW.time_zone) EXECUTE FUNCTION quiet_hours_were_changed();
CREATE OR REPLACE TRIGGER noted AFTER INSERT OR UPDATE OR DELETE ON quiet_hours
    FOR EACH ROW EXECUTE FUNCTION row_is_noted('quietHours.change', 'begins_at ends_at days silence_rings', '-', '', '');
CREATE OR REPLACE TRIGGER noted AFTER INSERT OR UPDATE OF rhythm, weekday, at_time, proofs ON summary_choice
    FOR EACH ROW EXECUTE FUNCTION row_is_noted('summary.change', 'rhythm weekday at_time proofs', '-', '', '');
CREATE OR REPLACE TRIGGER bounded AFTER INSERT ON gathering
    FOR EACH ROW EXECUTE FUNCTION keep_bound('account_id', 'began_at', 't.ended_at IS NOT NULL');

-- session, refresh_token, personal_token
CREATE OR REPLACE TRIGGER of_a_person BEFORE INSERT ON session FOR EACH ROW EXECUTE FUNCTION refuse_project();
CREATE OR REPLACE TRIGGER noted AFTER INSERT ON session FOR EACH ROW EXECUTE FUNCTION session_is_noted();
CREATE OR REPLACE TRIGGER end_noted AFTER UPDATE OF ended_at ON session
    FOR EACH ROW WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL) EXECUTE FUNCTION session_is_noted();
CREATE OR REPLACE TRIGGER bounded AFTER INSERT ON session
    FOR EACH ROW EXECUTE FUNCTION keep_bound('account_id', 'created_at', 't.ended_at IS NOT NULL');
CREATE OR REPLACE TRIGGER bounded AFTER INSERT ON refresh_token
    FOR EACH ROW EXECUTE FUNCTION keep_bound('session_id', 'created_at', 't.used_at IS NOT NULL');
CREATE OR REPLACE TRIGGER made_in_session BEFORE INSERT ON personal_token FOR EACH ROW EXECUTE FUNCTION note_where_it_was_made();
CREATE OR REPLACE TRIGGER knows_maker BEFORE INSERT ON personal_token FOR EACH ROW EXECUTE FUNCTION note_maker();
CREATE OR REPLACE TRIGGER noted AFTER INSERT ON personal_token FOR EACH ROW EXECUTE FUNCTION token_is_noted('token.make');
CREATE OR REPLACE TRIGGER use_noted AFTER UPDATE OF used_on ON personal_token
    FOR EACH ROW WHEN (OLD.used_on IS DISTINCT FROM NEW.used_on) EXECUTE FUNCTION token_is_noted('token.use');
CREATE OR REPLACE TRIGGER end_noted AFTER UPDATE OF revoked_at ON personal_token
    FOR EACH ROW WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL) EXECUTE FUNCTION token_is_noted('token.revoke');
CREATE OR REPLACE TRIGGER bounded AFTER INSERT ON personal_token
    FOR EACH ROW EXECUTE FUNCTION keep_bound('account_id', 'created_at', 't.revoked_at IS NOT NULL OR t.expires_at <= now()');

-- project_invitation
CREATE OR REPLACE TRIGGER noted AFTER INSERT ON project_invitation FOR EACH ROW EXECUTE FUNCTION project_invitation_is_noted();
CREATE OR REPLACE TRIGGER end_noted AFTER DELETE ON project_invitation
    FOR EACH ROW WHEN (OLD.used_at IS NULL) EXECUTE FUNCTION project_invitation_is_noted();

-- account_identity
CREATE OR REPLACE TRIGGER noted AFTER INSERT OR DELETE ON account_identity FOR EACH ROW EXECUTE FUNCTION identity_is_noted();

-- account_mail
CREATE OR REPLACE TRIGGER bounded AFTER INSERT ON account_mail FOR EACH ROW EXECUTE FUNCTION keep_bound('account_id', 'asked_at', 'true');

-- ownership. By the order of their names a part knows its project before its readings.
CREATE OR REPLACE TRIGGER ownership_has_project BEFORE INSERT ON ownership
    FOR EACH ROW WHEN (NEW.role = 'owner' AND NEW.project_id IS NULL) EXECUTE FUNCTION ownership_knows_its_project();
CREATE OR REPLACE TRIGGER part_ends BEFORE UPDATE OF unlinked_at ON ownership
    FOR EACH ROW WHEN (OLD.unlinked_at IS NULL AND NEW.unlinked_at IS NOT NULL AND NEW.project_id <> NEW.account_id) EXECUTE FUNCTION part_has_ended();
CREATE OR REPLACE TRIGGER project_linked AFTER INSERT ON ownership
    FOR EACH ROW WHEN (NEW.project_id = NEW.account_id AND NEW.unlinked_at IS NULL) EXECUTE FUNCTION project_device_was_linked();
CREATE OR REPLACE TRIGGER ownership_has_readings BEFORE INSERT ON ownership FOR EACH ROW EXECUTE FUNCTION ownership_knows_its_readings();
CREATE OR REPLACE TRIGGER ownership_has_tank BEFORE INSERT ON ownership FOR EACH ROW EXECUTE FUNCTION ownership_knows_its_tank();
ALTER TABLE ownership ENABLE ALWAYS TRIGGER ownership_has_tank;
CREATE OR REPLACE TRIGGER made_by_invitation BEFORE INSERT ON ownership
    FOR EACH ROW WHEN (NEW.role = 'watcher') EXECUTE FUNCTION note_by_which_invitation();
CREATE OR REPLACE TRIGGER ownership_changes_rules AFTER INSERT OR UPDATE ON ownership
    FOR EACH ROW EXECUTE FUNCTION rules_changed_by_row();
ALTER TABLE ownership ENABLE ALWAYS TRIGGER ownership_changes_rules;
CREATE OR REPLACE TRIGGER setup_told AFTER INSERT ON ownership
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION setups_were_added();
CREATE OR REPLACE TRIGGER setup_change_told AFTER UPDATE OF version, unlinked_at ON ownership
    FOR EACH ROW WHEN (OLD.version <> NEW.version OR OLD.unlinked_at IS DISTINCT FROM NEW.unlinked_at)
    EXECUTE FUNCTION setup_was_changed();
CREATE OR REPLACE TRIGGER device_was_linked AFTER INSERT ON ownership
    REFERENCING NEW TABLE AS linked FOR EACH STATEMENT EXECUTE FUNCTION device_was_linked();
CREATE OR REPLACE TRIGGER snoozes_end AFTER UPDATE OF unlinked_at ON ownership
    FOR EACH ROW WHEN (OLD.unlinked_at IS NULL AND NEW.unlinked_at IS NOT NULL) EXECUTE FUNCTION snoozes_end_with_ownership();
CREATE OR REPLACE TRIGGER chain_ends AFTER UPDATE OF unlinked_at ON ownership
    FOR EACH ROW WHEN (OLD.unlinked_at IS NULL AND NEW.unlinked_at IS NOT NULL) EXECUTE FUNCTION chain_ends_with_ownership();
CREATE OR REPLACE TRIGGER rejects_begin AFTER INSERT ON ownership
    FOR EACH ROW WHEN (NEW.role = 'owner') EXECUTE FUNCTION rejects_end_with_ownership();
CREATE OR REPLACE TRIGGER rejects_end AFTER UPDATE OF unlinked_at ON ownership
    FOR EACH ROW WHEN (NEW.role = 'owner' AND OLD.unlinked_at IS NULL AND NEW.unlinked_at IS NOT NULL)
    EXECUTE FUNCTION rejects_end_with_ownership();
CREATE OR REPLACE TRIGGER life_begins AFTER INSERT ON ownership
    FOR EACH ROW WHEN (NEW.role = 'owner') EXECUTE FUNCTION life_ends_with_ownership();
CREATE OR REPLACE TRIGGER life_ends AFTER UPDATE OF unlinked_at ON ownership
    FOR EACH ROW WHEN (NEW.role = 'owner' AND OLD.unlinked_at IS NULL AND NEW.unlinked_at IS NOT NULL)
    EXECUTE FUNCTION life_ends_with_ownership();
-- a membership is told once, and not device by device
CREATE OR REPLACE TRIGGER noted AFTER INSERT ON ownership
    FOR EACH ROW WHEN (NEW.project_id IS NULL OR NEW.role = 'owner') EXECUTE FUNCTION ownership_is_noted();
CREATE OR REPLACE TRIGGER end_noted AFTER UPDATE OF unlinked_at ON ownership
    FOR EACH ROW WHEN (OLD.unlinked_at IS NULL AND NEW.unlinked_at IS NOT NULL AND (NEW.project_id IS NULL OR NEW.role = 'owner'))
    EXECUTE FUNCTION ownership_is_noted();
CREATE OR REPLACE TRIGGER change_noted AFTER UPDATE OF name, latitude, longitude, shows_on_device, moves ON ownership
    FOR EACH ROW EXECUTE FUNCTION row_is_noted('device.change', 'name latitude longitude shows_on_device moves', 'name', '', '');
CREATE OR REPLACE TRIGGER place_begins AFTER INSERT ON ownership
    FOR EACH ROW WHEN (NEW.role = 'owner' AND NEW.latitude IS NOT NULL) EXECUTE FUNCTION place_is_noted();
CREATE OR REPLACE TRIGGER place_changes AFTER UPDATE OF latitude, longitude, place_accuracy, place_source ON ownership
    FOR EACH ROW WHEN (NEW.role = 'owner' AND (OLD.latitude, OLD.longitude, OLD.place_accuracy, OLD.place_source)
        IS DISTINCT FROM (NEW.latitude, NEW.longitude, NEW.place_accuracy, NEW.place_source))
    EXECUTE FUNCTION place_is_noted();
CREATE OR REPLACE TRIGGER display_begins AFTER INSERT ON ownership
    FOR EACH ROW WHEN (NEW.shows_on_device AND NEW.unlinked_at IS NULL) EXECUTE FUNCTION displays_changed();
CREATE OR REPLACE TRIGGER display_changes AFTER UPDATE OF shows_on_device, account_id, unlinked_at ON ownership
    FOR EACH ROW WHEN ((OLD.shows_on_device OR NEW.shows_on_device) AND (OLD.shows_on_device <> NEW.shows_on_device
        OR OLD.account_id <> NEW.account_id OR (OLD.unlinked_at IS NULL) <> (NEW.unlinked_at IS NULL)))
    EXECUTE FUNCTION displays_changed();
CREATE OR REPLACE TRIGGER display_ends AFTER DELETE ON ownership
    FOR EACH ROW WHEN (OLD.shows_on_device AND OLD.unlinked_at IS NULL) EXECUTE FUNCTION displays_changed();
-- join_project bounds what a member has
CREATE OR REPLACE TRIGGER bounded AFTER INSERT ON ownership
    FOR EACH ROW WHEN (NEW.project_id IS NULL OR NEW.role = 'owner') EXECUTE FUNCTION keep_bound('account_id', 'linked_at');

-- reminder, reminder_person, reminder_act: one change is told, whoever made it
CREATE OR REPLACE TRIGGER care_told AFTER INSERT ON reminder FOR EACH ROW EXECUTE FUNCTION care_row_was_changed('care');
CREATE OR REPLACE TRIGGER care_change_told AFTER UPDATE OF changes ON reminder
    FOR EACH ROW WHEN (OLD.changes <> NEW.changes) EXECUTE FUNCTION care_row_was_changed('care');
CREATE OR REPLACE TRIGGER rule_changed AFTER UPDATE OF version ON reminder
    FOR EACH ROW WHEN (OLD.version <> NEW.version AND (OLD.since <> NEW.since OR (OLD.ended_at IS NULL) <> (NEW.ended_at IS NULL)))
    EXECUTE FUNCTION rule_holds_no_more();
CREATE OR REPLACE TRIGGER bounded AFTER INSERT ON reminder
    FOR EACH ROW EXECUTE FUNCTION keep_bound('slot tank_id', 'made_at', 't.ended_at IS NOT NULL');
CREATE OR REPLACE TRIGGER shares_tank BEFORE INSERT ON reminder_person FOR EACH ROW EXECUTE FUNCTION refuse_stranger();
-- (a closed account's name goes from its acts, and nothing follows of that)
CREATE OR REPLACE TRIGGER acted AFTER INSERT OR UPDATE OF what, on_at, acted_at, until_at ON reminder_act FOR EACH ROW EXECUTE FUNCTION occurrence_was_acted_on();
CREATE OR REPLACE TRIGGER undone AFTER DELETE ON reminder_act
    FOR EACH ROW WHEN (OLD.what <> 'later') EXECUTE FUNCTION act_was_undone();
CREATE OR REPLACE TRIGGER bounded AFTER INSERT ON reminder_act
    FOR EACH ROW EXECUTE FUNCTION keep_bound('account_id slot tank_id', 'entered_at', 'true');
CREATE OR REPLACE TRIGGER work_ends AFTER UPDATE OF unlinked_at ON ownership
    FOR EACH ROW WHEN (NEW.role = 'owner' AND NEW.unlinked_at IS NOT NULL AND OLD.unlinked_at IS NULL)
    EXECUTE FUNCTION work_ends_with_ownership();
CREATE OR REPLACE TRIGGER reminders_end AFTER UPDATE OF unlinked_at ON ownership
    FOR EACH ROW WHEN (OLD.unlinked_at IS NULL AND NEW.unlinked_at IS NOT NULL) EXECUTE FUNCTION reminders_end_with_ownership();

-- device_invitation
CREATE OR REPLACE TRIGGER made_in_session BEFORE INSERT ON device_invitation FOR EACH ROW EXECUTE FUNCTION note_where_it_was_made();
CREATE OR REPLACE TRIGGER made_again_in_session BEFORE UPDATE ON device_invitation
    FOR EACH ROW WHEN (OLD.invitation_id <> NEW.invitation_id) EXECUTE FUNCTION note_where_it_was_made();
CREATE OR REPLACE TRIGGER noted AFTER INSERT ON device_invitation FOR EACH ROW EXECUTE FUNCTION invitation_is_noted();
CREATE OR REPLACE TRIGGER change_noted AFTER UPDATE ON device_invitation
    FOR EACH ROW WHEN (OLD.invitation_id <> NEW.invitation_id) EXECUTE FUNCTION invitation_is_noted();

CREATE OR REPLACE TRIGGER end_noted AFTER DELETE ON device_invitation
    FOR EACH ROW WHEN (OLD.used_at IS NULL) EXECUTE FUNCTION invitation_is_noted();

-- calendar_feed: an address by which a person's reminders are read
CREATE OR REPLACE TRIGGER noted AFTER INSERT ON calendar_feed
    FOR EACH ROW EXECUTE FUNCTION row_is_noted('feed.add', 'alarms', 'name', 'feed_id', '');
CREATE OR REPLACE TRIGGER end_noted AFTER DELETE ON calendar_feed
    FOR EACH ROW EXECUTE FUNCTION row_is_noted('feed.remove', '', 'name', 'feed_id', '');

-- own_preset: of a person or a project
CREATE OR REPLACE TRIGGER noted AFTER INSERT OR UPDATE ON own_preset
    FOR EACH ROW EXECUTE FUNCTION row_is_noted('preset.change', 'name version', 'name', 'preset_id', '');
CREATE OR REPLACE TRIGGER end_noted AFTER DELETE ON own_preset
    FOR EACH ROW EXECUTE FUNCTION row_is_noted('preset.remove', '', 'name', 'preset_id', '');

-- public_page: of a tank or a project; it ends with the ownership
CREATE OR REPLACE TRIGGER noted AFTER INSERT OR UPDATE ON public_page
    FOR EACH ROW EXECUTE FUNCTION row_is_noted('page.publish', 'title days limits addresses version', 'title', 'page_id', '');
CREATE OR REPLACE TRIGGER end_noted AFTER DELETE ON public_page
    FOR EACH ROW EXECUTE FUNCTION row_is_noted('page.withdraw', '', 'title', 'page_id', '');
CREATE OR REPLACE TRIGGER pages_end AFTER UPDATE OF account_id, unlinked_at ON ownership
    FOR EACH ROW WHEN (OLD.role = 'owner' AND OLD.unlinked_at IS NULL AND (NEW.unlinked_at IS NOT NULL OR NEW.account_id <> OLD.account_id))
    EXECUTE FUNCTION pages_end_with_ownership();

-- companion: two devices in the same water; the pair ends with the ownership of either
CREATE OR REPLACE TRIGGER noted AFTER INSERT ON companion
    FOR EACH ROW EXECUTE FUNCTION row_is_noted('probe.pair', '', '', '', '');
CREATE OR REPLACE TRIGGER end_noted AFTER DELETE ON companion
    FOR EACH ROW EXECUTE FUNCTION row_is_noted('probe.withdraw', '', '', '', '');
CREATE OR REPLACE TRIGGER pairs_end AFTER UPDATE OF account_id, unlinked_at ON ownership
    FOR EACH ROW WHEN (OLD.role = 'owner' AND OLD.unlinked_at IS NULL AND (NEW.unlinked_at IS NOT NULL OR NEW.account_id <> OLD.account_id))
    EXECUTE FUNCTION pairs_end_with_ownership();

-- place, standing
CREATE OR REPLACE TRIGGER bounded AFTER INSERT ON place FOR EACH ROW EXECUTE FUNCTION keep_bound('slot tank_id', 'since', 'true');
CREATE OR REPLACE TRIGGER bounded AFTER INSERT ON standing
    FOR EACH ROW EXECUTE FUNCTION keep_bound('slot tank_id', 'since', 't.until IS NOT NULL');
CREATE OR REPLACE TRIGGER standings_end AFTER UPDATE OF account_id, unlinked_at ON ownership
    FOR EACH ROW WHEN (OLD.role = 'owner' AND OLD.unlinked_at IS NULL AND (NEW.unlinked_at IS NOT NULL OR NEW.account_id <> OLD.account_id))
    EXECUTE FUNCTION standings_end_with_ownership();

-- station: of a site, whose station it stays in a project
CREATE OR REPLACE TRIGGER noted AFTER INSERT ON station
    FOR EACH ROW EXECUTE FUNCTION row_is_noted('station.set', 'kind address', '', '', '');
CREATE OR REPLACE TRIGGER change_noted AFTER UPDATE OF kind, address ON station
    FOR EACH ROW WHEN (NEW.address IS NOT NULL) EXECUTE FUNCTION row_is_noted('station.set', 'kind address', '', '', '');
CREATE OR REPLACE TRIGGER end_noted AFTER UPDATE OF address ON station
    FOR EACH ROW WHEN (NEW.address IS NULL) EXECUTE FUNCTION row_is_noted('station.end', 'address', '', '', '');
CREATE OR REPLACE TRIGGER gone_noted AFTER DELETE ON station
    FOR EACH ROW WHEN (OLD.address IS NOT NULL) EXECUTE FUNCTION row_is_noted('station.end', '', '', '', '');
CREATE OR REPLACE TRIGGER stations_follow AFTER UPDATE OF account_id, unlinked_at ON ownership
    FOR EACH ROW WHEN (OLD.role = 'owner' AND OLD.unlinked_at IS NULL AND (NEW.unlinked_at IS NOT NULL OR NEW.account_id <> OLD.account_id))
    EXECUTE FUNCTION stations_follow_ownership();

-- site_plan: of a person's tanks or a project's, which leave it with the ownership
CREATE OR REPLACE TRIGGER noted AFTER INSERT ON site_plan FOR EACH ROW EXECUTE FUNCTION row_is_noted('plan.add', 'name', 'name', 'plan_id', '');
CREATE OR REPLACE TRIGGER change_noted AFTER UPDATE ON site_plan
    FOR EACH ROW EXECUTE FUNCTION row_is_noted('plan.change', 'name version', 'name', 'plan_id', '');
CREATE OR REPLACE TRIGGER end_noted AFTER DELETE ON site_plan FOR EACH ROW EXECUTE FUNCTION row_is_noted('plan.remove', '', 'name', 'plan_id', '');
CREATE OR REPLACE TRIGGER places_end AFTER UPDATE OF account_id, unlinked_at ON ownership
    FOR EACH ROW WHEN (OLD.role = 'owner' AND OLD.unlinked_at IS NULL AND (NEW.unlinked_at IS NOT NULL OR NEW.account_id <> OLD.account_id))
    EXECUTE FUNCTION places_end_with_ownership();

-- zone: an outline on the map, of a person or a project
CREATE OR REPLACE TRIGGER noted AFTER INSERT ON zone FOR EACH ROW EXECUTE FUNCTION row_is_noted('zone.add', 'name', 'name', 'zone_id', '');
CREATE OR REPLACE TRIGGER change_noted AFTER UPDATE ON zone
    FOR EACH ROW EXECUTE FUNCTION row_is_noted('zone.change', 'name favourite version', 'name', 'zone_id', '');
CREATE OR REPLACE TRIGGER end_noted AFTER DELETE ON zone FOR EACH ROW EXECUTE FUNCTION row_is_noted('zone.remove', '', 'name', 'zone_id', '');

-- temperature_probe: the course of a temperature begins anew with another probe, which engines have to learn.
CREATE OR REPLACE TRIGGER probe_changes_rules AFTER INSERT OR UPDATE OF chosen_at ON temperature_probe
    FOR EACH ROW WHEN (NEW.chosen_at IS NOT NULL) EXECUTE FUNCTION rules_changed_by_row();
ALTER TABLE temperature_probe ENABLE ALWAYS TRIGGER probe_changes_rules;

CREATE OR REPLACE TRIGGER change_noted AFTER INSERT OR UPDATE OF probe_id ON temperature_probe
    FOR EACH ROW WHEN (NEW.chosen_at IS NOT NULL) EXECUTE FUNCTION row_is_noted('probe.choose', 'probe_id', '', '', 'shared');

-- erasure
CREATE OR REPLACE TRIGGER reported_probes_erased AFTER DELETE ON erasure
    FOR EACH ROW WHEN (OLD.kind = 'samples') EXECUTE FUNCTION erase_reported_probes();

-- setting: a change adds the next version.
-- Settings that follow a project's limits change with them, or come with a part in the device, each of which says so for all members at once.
CREATE OR REPLACE TRIGGER setting_changes_rules AFTER INSERT OR UPDATE ON setting
    FOR EACH ROW WHEN (NOT NEW.follows) EXECUTE FUNCTION rules_changed_by_row();
ALTER TABLE setting ENABLE ALWAYS TRIGGER setting_changes_rules;
CREATE OR REPLACE TRIGGER setup_told AFTER INSERT ON setting
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION setups_were_added();
CREATE OR REPLACE TRIGGER noted AFTER INSERT ON setting
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION limits_are_noted();
CREATE OR REPLACE TRIGGER bounded AFTER INSERT ON setting
    FOR EACH ROW WHEN (NOT NEW.follows) EXECUTE FUNCTION keep_bound('slot device_id account_id', 'valid_from', 't.valid_until IS NOT NULL');
CREATE OR REPLACE TRIGGER bounded_by_itself AFTER INSERT ON setting
    FOR EACH ROW WHEN (NEW.follows AND NEW.version > 140) EXECUTE FUNCTION followed_versions_go();
CREATE OR REPLACE TRIGGER followers_first BEFORE INSERT OR UPDATE ON setting
    FOR EACH ROW WHEN (NOT NEW.follows) EXECUTE FUNCTION followers_are_locked();
CREATE OR REPLACE TRIGGER followed AFTER INSERT ON setting
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION limits_are_followed();

-- snooze: set on one screen, it shows on the others.
CREATE OR REPLACE TRIGGER setup_told AFTER INSERT ON snooze
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION setups_were_added();
CREATE OR REPLACE TRIGGER setup_change_told AFTER UPDATE OF ended_at ON snooze
    FOR EACH ROW WHEN (OLD.ended_at IS DISTINCT FROM NEW.ended_at) EXECUTE FUNCTION setup_was_changed();
CREATE OR REPLACE TRIGGER answer_ends AFTER UPDATE OF ended_at ON snooze
    FOR EACH ROW WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL AND NEW.answered_by = NEW.account_id)
    EXECUTE FUNCTION answer_ends_for_all();
CREATE OR REPLACE TRIGGER answer_told AFTER INSERT OR UPDATE OF ended_at, solved_at ON snooze
    FOR EACH ROW WHEN (NEW.answered_by = NEW.account_id) EXECUTE FUNCTION answer_was_given();
CREATE OR REPLACE TRIGGER noted AFTER INSERT ON snooze FOR EACH ROW EXECUTE FUNCTION answer_is_noted();
CREATE OR REPLACE TRIGGER end_noted AFTER UPDATE OF ended_at ON snooze
    FOR EACH ROW WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL) EXECUTE FUNCTION answer_is_noted();
CREATE OR REPLACE TRIGGER escalation_follows AFTER INSERT OR UPDATE OF ended_at ON snooze
    FOR EACH ROW EXECUTE FUNCTION escalation_follows_snooze();
-- What others' answers hold back counts as theirs.
CREATE OR REPLACE TRIGGER bounded AFTER INSERT ON snooze
    FOR EACH ROW WHEN (NEW.answered_by IS NULL OR NEW.answered_by = NEW.account_id) EXECUTE FUNCTION keep_bound('account_id slot device_id', 'set_at', 't.ended_at IS NOT NULL');

-- escalation, escalation_call
CREATE OR REPLACE TRIGGER told AFTER UPDATE ON escalation
    FOR EACH ROW WHEN (OLD.held_until IS DISTINCT FROM NEW.held_until OR OLD.ended_at IS DISTINCT FROM NEW.ended_at)
    EXECUTE FUNCTION call_was_made();
CREATE OR REPLACE TRIGGER told AFTER INSERT ON escalation_call FOR EACH ROW EXECUTE FUNCTION call_was_made();

-- flat_line: flat lines are found in the roll-ups, beside the readings, so that an engine that remembers the device reads it anew.
CREATE OR REPLACE TRIGGER flat_line_changes_rules AFTER INSERT ON flat_line FOR EACH ROW EXECUTE FUNCTION rules_changed_by_row();

-- episode: what begins, is told and ends shows on the device.
CREATE OR REPLACE TRIGGER shown_on_device AFTER INSERT ON episode
    REFERENCING NEW TABLE AS opened FOR EACH STATEMENT EXECUTE FUNCTION opened_is_shown();
CREATE OR REPLACE TRIGGER end_shown_on_device AFTER UPDATE ON episode
    FOR EACH ROW WHEN (OLD.closed_at IS DISTINCT FROM NEW.closed_at OR OLD.alert_id IS DISTINCT FROM NEW.alert_id)
    EXECUTE FUNCTION closed_is_shown();

-- water_work
CREATE OR REPLACE TRIGGER noted AFTER INSERT OR UPDATE OF ended_at, withdrawn_at, until ON water_work
    FOR EACH ROW EXECUTE FUNCTION work_is_noted();
CREATE OR REPLACE TRIGGER bounded AFTER INSERT ON water_work
    FOR EACH ROW EXECUTE FUNCTION keep_bound('account_id slot tank_id', 'entered_at', 't.ends_at < now() - interval ''31 days''');

-- alert: tests are what a person can make without end.
CREATE OR REPLACE TRIGGER bounded AFTER INSERT ON alert
    FOR EACH ROW WHEN (NEW.kind = 'test') EXECUTE FUNCTION keep_bound('account_id', 'decided_at');

-- endpoint
CREATE OR REPLACE TRIGGER of_a_person BEFORE INSERT OR UPDATE OF account_id ON endpoint FOR EACH ROW EXECUTE FUNCTION refuse_project();
CREATE OR REPLACE TRIGGER made_in_session BEFORE INSERT ON endpoint FOR EACH ROW EXECUTE FUNCTION note_where_it_was_made();
CREATE OR REPLACE TRIGGER made_again_in_session BEFORE UPDATE ON endpoint
    FOR EACH ROW WHEN (OLD.registration <> NEW.registration OR OLD.account_id <> NEW.account_id)
    EXECUTE FUNCTION note_where_it_was_made();
CREATE OR REPLACE TRIGGER address_sealed BEFORE INSERT OR UPDATE ON endpoint FOR EACH ROW EXECUTE FUNCTION address_is_sealed();
CREATE OR REPLACE TRIGGER remembered BEFORE UPDATE ON endpoint FOR EACH ROW EXECUTE FUNCTION endpoint_is_remembered();
CREATE OR REPLACE TRIGGER noted AFTER INSERT ON endpoint FOR EACH ROW EXECUTE FUNCTION endpoint_is_noted();
CREATE OR REPLACE TRIGGER change_noted AFTER UPDATE ON endpoint
    FOR EACH ROW WHEN (NEW.retired_at IS NULL AND (OLD.registration <> NEW.registration OR OLD.account_id <> NEW.account_id)
        OR OLD.retired_at IS NULL AND NEW.retired_at IS NOT NULL AND OLD.account_id = NEW.account_id)
    EXECUTE FUNCTION endpoint_is_noted();
CREATE OR REPLACE TRIGGER loss_told AFTER UPDATE ON endpoint
    FOR EACH ROW WHEN (OLD.account_id <> NEW.account_id AND OLD.retired_at IS NULL AND OLD.paused_at IS NULL
        -- what goes back to a person's history because the other account is closed is registered nowhere
        AND NEW.retired_at IS NULL)
    EXECUTE FUNCTION lost_way_is_told();
CREATE OR REPLACE TRIGGER setting_noted AFTER UPDATE ON endpoint
    FOR EACH ROW WHEN (OLD.registration = NEW.registration AND OLD.account_id = NEW.account_id
        AND OLD.retired_at IS NULL AND NEW.retired_at IS NULL AND (
            OLD.form <> NEW.form OR OLD.sealed_template IS DISTINCT FROM NEW.sealed_template
            OR OLD.template_type IS DISTINCT FROM NEW.template_type OR OLD.only_urgent <> NEW.only_urgent
            OR OLD.rings_always <> NEW.rings_always OR OLD.former_until IS DISTINCT FROM NEW.former_until))
    EXECUTE FUNCTION endpoint_change_is_noted();
CREATE OR REPLACE TRIGGER bounded AFTER INSERT ON endpoint FOR EACH ROW EXECUTE FUNCTION keep_bound('account_id', 'created_at');

-- journal_entry, journal_photo, inventory_item, calibration: the care of a tank
CREATE OR REPLACE TRIGGER bounded AFTER INSERT ON journal_entry
    FOR EACH ROW EXECUTE FUNCTION keep_bound('account_id slot tank_id', 'made_at');
CREATE OR REPLACE TRIGGER bounded AFTER INSERT ON journal_photo FOR EACH ROW EXECUTE FUNCTION keep_bound('account_id', 'made_at');
CREATE OR REPLACE TRIGGER has_room BEFORE INSERT ON journal_photo FOR EACH ROW EXECUTE FUNCTION photo_has_room();
CREATE OR REPLACE TRIGGER small_has_room BEFORE UPDATE OF small ON journal_photo FOR EACH ROW
    WHEN (OLD.small IS NULL AND NEW.small IS NOT NULL) EXECUTE FUNCTION small_photo_has_room();
CREATE OR REPLACE TRIGGER bounded AFTER INSERT ON inventory_item FOR EACH ROW EXECUTE FUNCTION keep_bound('slot tank_id', 'made_at');
CREATE OR REPLACE TRIGGER bounded AFTER INSERT ON calibration
    FOR EACH ROW EXECUTE FUNCTION keep_bound('account_id slot tank_id', 'made_at');
CREATE OR REPLACE TRIGGER added_told AFTER INSERT ON journal_entry
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION care_was_changed('journal');
CREATE OR REPLACE TRIGGER change_told AFTER UPDATE ON journal_entry
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION care_was_changed('journal');
CREATE OR REPLACE TRIGGER removal_told AFTER DELETE ON journal_entry
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION care_was_changed('journal');
CREATE OR REPLACE TRIGGER added_told AFTER INSERT ON journal_photo
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION care_was_changed('journal');
CREATE OR REPLACE TRIGGER change_told AFTER UPDATE ON journal_photo
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION care_was_changed('journal');
CREATE OR REPLACE TRIGGER removal_told AFTER DELETE ON journal_photo
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION care_was_changed('journal');
CREATE OR REPLACE TRIGGER added_told AFTER INSERT ON inventory_item
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION care_was_changed('journal');
CREATE OR REPLACE TRIGGER change_told AFTER UPDATE ON inventory_item
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION care_was_changed('journal');
CREATE OR REPLACE TRIGGER removal_told AFTER DELETE ON inventory_item
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION care_was_changed('journal');
CREATE OR REPLACE TRIGGER added_told AFTER INSERT ON calibration
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION care_was_changed('journal');
CREATE OR REPLACE TRIGGER change_told AFTER UPDATE ON calibration
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION care_was_changed('journal');
CREATE OR REPLACE TRIGGER removal_told AFTER DELETE ON calibration
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION care_was_changed('journal');

-- field_sample: with its photos, as a journal
CREATE OR REPLACE TRIGGER bounded AFTER INSERT ON field_sample FOR EACH ROW EXECUTE FUNCTION keep_bound('account_id', 'received_at');
CREATE OR REPLACE TRIGGER added_told AFTER INSERT ON field_sample
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION care_was_changed('journal');
CREATE OR REPLACE TRIGGER change_told AFTER UPDATE ON field_sample
    FOR EACH ROW WHEN (OLD.changed_at <> NEW.changed_at) EXECUTE FUNCTION care_row_was_changed('journal');
CREATE OR REPLACE TRIGGER withdrawal_noted AFTER UPDATE OF state ON field_sample
    FOR EACH ROW WHEN (OLD.state <> 'withdrawn' AND NEW.state = 'withdrawn')
    EXECUTE FUNCTION row_is_noted('sample.withdraw', 'version', '', 'sample_id', 'shared');
CREATE OR REPLACE TRIGGER review_noted AFTER UPDATE OF review ON field_sample
    FOR EACH ROW WHEN (OLD.version = NEW.version AND OLD.review IS DISTINCT FROM NEW.review)
    EXECUTE FUNCTION row_is_noted('sample.review', 'version review', '', 'sample_id', 'shared');
CREATE OR REPLACE TRIGGER added_sent AFTER INSERT ON field_sample FOR EACH ROW EXECUTE FUNCTION sample_is_sent();
CREATE OR REPLACE TRIGGER version_sent AFTER UPDATE OF version ON field_sample
    FOR EACH ROW WHEN (OLD.version <> NEW.version) EXECUTE FUNCTION sample_is_sent();
CREATE OR REPLACE TRIGGER told_again AFTER UPDATE ON field_sample
    FOR EACH ROW WHEN (OLD.version = NEW.version AND (OLD.content <> NEW.content OR OLD.review IS DISTINCT FROM NEW.review
        OR OLD.review_note IS DISTINCT FROM NEW.review_note))
    EXECUTE FUNCTION sample_is_told_again();
CREATE OR REPLACE TRIGGER gone AFTER DELETE ON field_sample FOR EACH ROW EXECUTE FUNCTION sample_has_gone();
CREATE OR REPLACE TRIGGER told_again AFTER UPDATE OF content ON field_sample_version
    FOR EACH ROW WHEN (OLD.content <> NEW.content) EXECUTE FUNCTION sample_is_told_again();
CREATE OR REPLACE TRIGGER noted AFTER INSERT OR DELETE ON sample_sending FOR EACH ROW EXECUTE FUNCTION sending_is_noted();
CREATE OR REPLACE TRIGGER sendings_end AFTER UPDATE OF account_id, unlinked_at ON ownership
    FOR EACH ROW WHEN (OLD.role = 'owner' AND OLD.unlinked_at IS NULL AND (NEW.unlinked_at IS NOT NULL OR NEW.account_id <> OLD.account_id))
    EXECUTE FUNCTION sendings_end_with_ownership();
CREATE OR REPLACE TRIGGER noted AFTER INSERT ON field_protocol
    FOR EACH ROW EXECUTE FUNCTION row_is_noted('protocol.change', 'version', 'protocol_id', '', '');

-- tank_answers: the volume is part of what is said of doses
CREATE OR REPLACE TRIGGER added_told AFTER INSERT ON tank_answers
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION care_was_changed('journal');

-- hand_test, water_work, reminder_act: the journal lists them. Of a change, what people made of it: neither who is gone, nor what was judged.
-- An act is told after what its other triggers tell, always in this order.
CREATE OR REPLACE TRIGGER added_told AFTER INSERT ON hand_test
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION care_was_changed('journal');
CREATE OR REPLACE TRIGGER change_told AFTER UPDATE ON hand_test
    FOR EACH ROW WHEN (OLD.version <> NEW.version) EXECUTE FUNCTION care_row_was_changed('journal');
CREATE OR REPLACE TRIGGER removal_told AFTER DELETE ON hand_test
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION care_was_changed('journal');
CREATE OR REPLACE TRIGGER added_told AFTER INSERT ON water_work
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION care_was_changed('journal');
CREATE OR REPLACE TRIGGER change_told AFTER UPDATE ON water_work
    FOR EACH ROW WHEN (OLD.version <> NEW.version) EXECUTE FUNCTION care_row_was_changed('journal');
CREATE OR REPLACE TRIGGER removal_told AFTER DELETE ON water_work
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION care_was_changed('journal');
CREATE OR REPLACE TRIGGER added_told AFTER INSERT ON reminder_act
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION care_was_changed('journal');
CREATE OR REPLACE TRIGGER change_told AFTER UPDATE ON reminder_act
    FOR EACH ROW WHEN (OLD.version <> NEW.version OR OLD.what <> NEW.what) EXECUTE FUNCTION care_row_was_changed('journal');
CREATE OR REPLACE TRIGGER removal_told AFTER DELETE ON reminder_act
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION care_was_changed('journal');

-- deletion, approval
CREATE OR REPLACE TRIGGER bounded AFTER INSERT ON deletion FOR EACH ROW EXECUTE FUNCTION keep_bound('slot tank_id', 'at');
CREATE OR REPLACE TRIGGER bounded AFTER INSERT ON approval FOR EACH ROW EXECUTE FUNCTION keep_bound('slot tank_id', 'at');
CREATE OR REPLACE TRIGGER noted AFTER INSERT ON deletion
    FOR EACH ROW EXECUTE FUNCTION row_is_noted('readings.delete', 'since until readings', '', 'deletion_id', 'shared');
CREATE OR REPLACE TRIGGER noted AFTER INSERT ON approval
    FOR EACH ROW EXECUTE FUNCTION row_is_noted('period.approve', 'since until', '', 'approval_id', 'shared');
CREATE OR REPLACE TRIGGER end_noted AFTER UPDATE OF withdrawn_at ON approval
    FOR EACH ROW WHEN (OLD.withdrawn_at IS NULL AND NEW.withdrawn_at IS NOT NULL)
    EXECUTE FUNCTION row_is_noted('period.withdraw', 'withdrawn_reason', '', 'approval_id', 'shared');
