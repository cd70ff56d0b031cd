import WaterQuality

/// The rights of each service's role, as the schema grants them. The doctor compares them with the database's.
enum ServiceRights {
    struct Right: Hashable, Sendable {
        var privilege: String
        /// A table, `table(column)`, a sequence or a function.
        var object: String

        /// The right as GRANT and REVOKE write it.
        var clause: String {
            guard let parenthesis = object.firstIndex(of: "(") else {
                return
                    "\(privilege) ON \(privilege == "EXECUTE" ? "FUNCTION " : privilege == "USAGE" ? "SEQUENCE " : "")\(object)"
            }
            return "\(privilege) \(object[parenthesis...]) ON \(object[..<parenthesis])"
        }
    }

    static let gateway = "aqua_gateway"
    static let enroller = "aqua_enroller"
    static let roles = ["aqua_ingestor", "aqua_rules", "aqua_notifier", gateway, enroller]

    /// The settings that the superuser makes for each role (deploy/lib/postgres.sh). Roles belong to the cluster, so a database
    /// that is restored elsewhere lacks them.
    static let settings = [
        "idle_in_transaction_session_timeout=10s", "enable_seqscan=off", "enable_bitmapscan=off",
        "jit=off", "plan_cache_mode=force_generic_plan", "tcp_keepalives_idle=15", "tcp_keepalives_interval=5",
        "tcp_keepalives_count=3",
    ]

    /// Further settings, of the Gateway's role alone.
    static let gatewaySettings = ["statement_timeout=30s"]

    static func expected(of role: String) -> Set<Right> { Set(table[role] ?? []) }

    /// The statements that revoke a right. A right that is revoked on a table is revoked on its columns too, so the
    /// statements grant those that are needed again.
    static func revocation(of right: Right, from role: String) -> String {
        let columns = expected(of: role).filter {
            $0.privilege == right.privilege && $0.object.hasPrefix(right.object + "(")
        }
        return (["REVOKE \(right.clause) FROM \(role);"] + columns.map { "GRANT \($0.clause) TO \(role);" }.sorted())
            .joined(separator: " ")
    }

    private static let table: [String: [Right]] = [
        "aqua_ingestor": rights(
            "SELECT", on: "schema_migration", "schema_script", "sample", "device_status", "ingest_seat", "reject",
            "sample_hour",
            "sample_day", "rollup_progress", "rollup_due", "quality_due", "clock_watch", "retention", "live_follower",
            "temperature_probe", "time_outside", "backup", "device_work", "owed_removal")
            + rights("SELECT", onColumnsOf: "device", "slot", "device_id", "hardware_id", "key_hash", "kind")
            + rights(
                "SELECT", onColumnsOf: "ownership", "slot", "device_id", "role", "unlinked_at", "account_id",
                "linked_at", "readings_from", "moves")
            + rights("INSERT", on: "track")
            + rights("SELECT", on: "station", "station_host")
            + rights("UPDATE", onColumnsOf: "station_host", "asked_at", "paused_until")
            + rights(
                "SELECT", onColumnsOf: "approval", "slot", "tank_id", "since", "until", "withdrawn_at")
            + rights("EXECUTE", on: "readings_were_revised")
            + rights(
                "UPDATE", onColumnsOf: "station", "title", "series", "due_at", "asked_at", "fetched_at", "seen_until",
                "entity_tag", "failures", "fault")
            + rights(
                "SELECT", onColumnsOf: "setting", "slot", "device_id", "account_id", "parameter", "minimum",
                "maximum", "valid_from", "valid_until", "periods")
            + rights("SELECT", onColumnsOf: "device_clock", "slot", "device_id", "lag_seconds")
            + rights("SELECT", onColumnsOf: "canary", "slot", "device_id")
            + rights("UPDATE", onColumnsOf: "sample", Parameter.allCases.map(\.name) + ["filled", "filled_more"])
            + rights(
                "INSERT", on: "sample", "evaluation_batch", "device_status", "ingest_seat", "reject", "sample_hour",
                "sample_day", "rollup_due", "quality_due", "temperature_probe", "time_outside", "owed_removal")
            + rights(
                "UPDATE", on: "device_status", "ingest_seat", "reject", "sample_hour", "sample_day", "time_outside")
            + rights("UPDATE", onColumnsOf: "rollup_progress", "hours_until")
            + rights("UPDATE", onColumnsOf: "quality_due", "failures")
            + rights("DELETE", on: "rollup_due", "quality_due", "owed_removal")
            + rights("USAGE", on: "reject_number")
            + rights(
                "EXECUTE", on: "make_sample_partitions", "make_hour_partitions", "make_audit_partitions",
                "drop_oldest_partition",
                "delete_old_alerts", "erase_readings", "note_clock", "note_reported_probes", "note_device_lives",
                "record_device_rejects",
                "delete_old_rejects", "delete_old_positions", "take_census", "list_displays", "read_displays",
                "latest_of_displays",
                "press_button", "press_for_work", "follow_slots", "end_memberships", "limit_turns", "forget_enrolments"),
        "aqua_rules": rights(
            "SELECT", on: "schema_migration", "schema_script", "slot", "slot_rules", "setting", "sample",
            "evaluation_batch",
            "evaluation_batch_batch_id_seq", "episode", "alert", "throttle", "device_clock", "clock_watch",
            "reachable_account", "device_status", "silence_clock", "silence_check", "snooze", "probe_fault",
            "flat_line", "sample_hour", "rollup_progress", "quiet_hours", "current_quiet_hours", "gathering",
            "chain_step", "escalation", "escalation_call", "device_work")
            + rights("SELECT", on: "hand_test", "hand_value")
            + rights("SELECT", onColumnsOf: "ownership", "tank_id", "project_id", "name")
            + rights("SELECT", onColumnsOf: "shift_turn", "account_id")
            + rights("UPDATE", onColumnsOf: "hand_test", "judged_at")
            + rights("SELECT", on: "companion")
            + rights("UPDATE", onColumnsOf: "companion", "due_at", "compared_at", "parameters", "differences")
            + rights("SELECT", onColumnsOf: "device", "slot", "device_id", "rules_version", "kind")
            + rights("SELECT", onColumnsOf: "ingest_seat", "session_open", "level_at")
            + rights(
                "SELECT", onColumnsOf: "ownership", "slot", "device_id", "account_id", "unlinked_at", "linked_at",
                "role", "readings_from")
            + rights("SELECT", onColumnsOf: "account", "account_id", "throttle_seconds", "time_zone")
            + rights("SELECT", onColumnsOf: "delivery", "slot", "alert_id", "state")
            + rights(
                "SELECT", onColumnsOf: "water_work", "slot", "device_id", "begins_at", "ends_at", "keeps_hard",
                "account_id")
            + rights("SELECT", onColumnsOf: "temperature_probe", "slot", "device_id", "probe_id", "chosen_at")
            + rights(
                "SELECT", onColumnsOf: "reported_probe", "slot", "device_id", "probe_id", "temperature", "reported_at")
            + rights(
                "SELECT", onColumnsOf: "device_life", "slot", "device_id", "battery", "battery_at", "signal",
                "signal_at")
            + rights(
                "SELECT", onColumnsOf: "device_life_day", "slot", "device_id", "day", "battery", "signal", "restarts")
            + rights(
                "INSERT", on: "episode", "alert", "throttle", "transition", "device_clock", "probe_fault",
                "flat_line", "gathering", "escalation", "escalation_call")
            + rights(
                "UPDATE", on: "slot", "episode", "throttle", "device_clock", "silence_clock", "silence_check",
                "probe_fault", "flat_line", "gathering", "escalation")
            + rights("UPDATE", onColumnsOf: "escalation_call", "called_off_at")
            + rights(
                "UPDATE", onColumnsOf: "alert", "value", "worst", "check_probe", "event_time", "received_at",
                "episode_id", "opened_at", "purpose", "after_work", "limit_value", "limit_time")
            + rights("UPDATE", onColumnsOf: "rollup_progress", "flat_until", "flat_device")
            + rights("DELETE", on: "evaluation_batch", "device_clock", "silence_check", "probe_fault", "flat_line")
            + rights("USAGE", on: "episode_id", "alert_id")
            + rights(
                "EXECUTE", on: "note_clock", "heard_pauses", "end_holders", "chain_outlook", "name_of_person",
                "limit_turns",
                "shift_holds",
                "is_on_shift", "find_turns", "settle_turns"),
        "aqua_notifier": rights(
            "SELECT", on: "schema_migration", "schema_script", "alert", "setting", "endpoint", "delivery",
            "delivery_attempt", "throttle", "notifier", "usable_endpoint", "endpoint_retirement", "clock_watch",
            "vapid_key", "app_channel")
            + rights("SELECT", onColumnsOf: "device", "slot", "device_id", "hardware_id")
            + rights(
                "SELECT", onColumnsOf: "episode", "slot", "device_id", "parameter", "account_id", "kind", "episode_id",
                "opened_at", "closed_at")
            + rights(
                "SELECT", onColumnsOf: "ownership", "slot", "device_id", "account_id", "name", "linked_at",
                "unlinked_at")
            + rights("SELECT", onColumnsOf: "account", "account_id", "locale", "time_zone")
            + rights("SELECT", onColumnsOf: "chain_step", "slot", "device_id", "account_id", "endpoint_id")
            + rights("SELECT", onColumnsOf: "escalation", "slot", "escalation_id", "held_until", "ended_at")
            + rights("SELECT", onColumnsOf: "device_clock", "slot", "device_id", "lag_seconds")
            + rights(
                "INSERT", on: "delivery", "delivery_attempt", "notifier", "endpoint_retirement", "vapid_key",
                "app_channel")
            + rights(
                "UPDATE", on: "delivery", "throttle", "notifier", "endpoint_retirement", "vapid_key",
                "app_channel")
            + rights("UPDATE", onColumnsOf: "alert", "state")
            + rights("DELETE", on: "throttle", "notifier", "vapid_key", "app_channel")
            + rights(
                "EXECUTE", on: "note_clock", "take_account_mail", "note_account_mail_sent", "stop_token",
                "tell_failed_ways", "look_at_canary", "send_summaries", "send_proofs",
                "take_due_reminders", "set_back_reminder", "last_acts_of_all", "settle_looks",
                "tell_care_again", "tell_care",
                "replace_care", "care_token",
                "answer_token", "receipt_token", "limit_turns"
            ),
        // Tables of people's rows show the Gateway those of one person (row-level security).
        "aqua_gateway": rights(
            "SELECT", on: "schema_migration", "schema_script", "clock_watch", "rollup_progress",
            "ownership",
            "setting", "episode", "transition", "alert", "delivery", "delivery_attempt", "endpoint",
            "endpoint_retirement", "usable_endpoint", "session", "device_invitation", "idempotency_key",
            "person_device",
            "person_watcher", "person_clock", "person_probe", "person_life", "person_life_day", "person_life_change",
            "person_reject", "person_track", "person_sample", "person_sample_hour",
            "person_sample_day", "person_rollup_due", "person_quality_due", "vapid_key", "app_channel", "snooze",
            "time_outside", "account_event", "account_identity", "person_change", "quiet_hours", "current_quiet_hours",
            "gathering",
            "water_work",
            "person_work")
            + rights(
                "SELECT", on: "person_tank", "tank_person", "journal_entry", "journal_photo", "inventory_item",
                "journal_item")
            + rights("INSERT", on: "journal_entry", "inventory_item")
            + rights(
                "INSERT", onColumnsOf: "journal_photo", "slot", "tank_id", "photo_id", "entry_id", "sample_id",
                "account_id", "type", "width", "height", "content", "taken_at")
            + rights(
                "UPDATE", onColumnsOf: "journal_entry", "kind", "happened_at", "amount", "unit", "subject", "count",
                "text",
                "version")
            + rights("UPDATE", onColumnsOf: "journal_photo", "small", "small_type")
            + rights(
                "UPDATE", onColumnsOf: "inventory_item", "name", "count", "kind", "since", "until", "note", "version")
            + rights("DELETE", on: "journal_entry", "journal_photo", "inventory_item")
            + rights("EXECUTE", on: "care_parts")
            + rights("SELECT", on: "reminder", "reminder_person", "reminder_act")
            + rights(
                "SELECT", onColumnsOf: "reminder_telling", "slot", "reminder_id", "account_id", "on_at", "alert_id")
            + rights(
                "SELECT", onColumnsOf: "calendar_feed", "feed_id", "account_id", "name", "slot", "tank_id", "alarms",
                "made_at", "fetched_at")
            + rights(
                "INSERT", onColumnsOf: "reminder", "slot", "tank_id", "device_id", "reminder_id", "name", "activity",
                "every", "step", "weekdays", "month_day", "month_weekday", "which", "until_on", "times", "at_time",
                "zone", "starts_on", "notes", "account_id", "since", "looked_at", "planned_at")
            + rights(
                "UPDATE", onColumnsOf: "reminder", "name", "activity", "every", "step", "weekdays", "month_day",
                "month_weekday", "which", "until_on", "times", "at_time", "zone", "starts_on", "notes", "since",
                "ended_at", "version", "changes", "changed_at", "looked_at", "next_at", "planned_at")
            + rights("INSERT", onColumnsOf: "reminder_person", "slot", "reminder_id", "account_id")
            + rights(
                "INSERT", onColumnsOf: "reminder_act", "slot", "tank_id", "reminder_id", "act_id", "on_at", "what",
                "acted_at", "until_at", "account_id")
            + rights("UPDATE", onColumnsOf: "reminder_act", "what", "acted_at", "until_at", "version")
            + rights(
                "INSERT", onColumnsOf: "calendar_feed", "account_id", "token_hash", "name", "slot", "tank_id", "alarms")
            + rights("SELECT", on: "hand_test", "hand_value")
            + rights(
                "EXECUTE", on: "operates", "take_providers_word", "operation_figures", "operation_tallies",
                "operation_findings", "operation_accounts", "operation_devices", "operation_changes",
                "end_sessions_as_operator")
            + rights(
                "EXECUTE", on: "put_hand_test", "delete_hand_test", "own_care_of_former_tanks",
                "next_own_photo_of_former_tanks", "own_words_of_former_tanks", "own_photo_of_former_tank",
                "remove_own_words_of_former_tank")
            + rights(
                "SELECT", onColumnsOf: "public_page", "page_id", "account_id", "slot", "sealed_token",
                "title",
                "parameters", "days", "limits", "published_at", "made_in")
            + rights("SELECT", on: "public_page_tank")
            + rights("EXECUTE", on: "publish_page", "withdraw_page", "enter_public_page")
            + rights("SELECT", on: "companion")
            + rights("EXECUTE", on: "pair_devices", "part_devices")
            + rights("SELECT", on: "place", "standing")
            + rights("EXECUTE", on: "make_site", "stand_at", "stand_nowhere")
            + rights("SELECT", on: "station")
            + rights("SELECT", onColumnsOf: "station_host", "host", "paused_until")
            + rights("EXECUTE", on: "set_station", "let_station_go")
            + rights("SELECT", on: "person_plan", "person_plan_place")
            + rights("EXECUTE", on: "make_plan", "rename_plan", "set_plan_picture", "place_tanks", "remove_plan")
            + rights("SELECT", on: "field_sample", "field_sample_version", "person_protocol", "own_protocol")
            + rights(
                "EXECUTE", on: "put_field_protocol", "put_field_sample", "withdraw_field_sample", "review_field_sample")
            + rights("SELECT", on: "person_sending", "person_received")
            + rights("EXECUTE", on: "receive_from", "end_receiving", "receivers_of")
            + rights("SELECT", on: "person_zone", "person_point")
            + rights("EXECUTE", on: "make_zone", "change_zone", "remove_zone")
            + rights("SELECT", on: "person_preset")
            + rights("EXECUTE", on: "put_preset", "drop_preset")
            + rights("EXECUTE", on: "last_position", "forget_track")
            + rights("SELECT", on: "calibration")
            + rights("DELETE", on: "calibration")
            + rights(
                "INSERT", onColumnsOf: "calibration", "slot", "tank_id", "calibration_id", "device_id", "parameter",
                "account_id", "kind", "at", "unit", "standards", "befores", "afters", "millivolts", "temperature",
                "note")
            + rights(
                "UPDATE", onColumnsOf: "calibration", "kind", "at", "unit", "standards", "befores", "afters",
                "millivolts", "temperature", "note", "version")
            + rights(
                "SELECT", on: "person_project", "project_person", "person_project_invitation", "person_project_made")
            + rights(
                "EXECUTE", on: "current_actor", "act_for_project", "create_project", "dissolve_project",
                "invite_to_project",
                "revoke_project_invitation", "look_at_project_invitation", "join_project", "change_member",
                "end_membership", "move_device", "follow_project", "show_rota", "list_shifts", "list_turns",
                "list_covers", "told_on_shift", "off_shift_in", "set_shifts", "cover_shift", "tell_always")
            + rights("SELECT", on: "tank_answers", "person_enrolment", "person_enrolment_device")
            + rights("SELECT", onColumnsOf: "enroller_state", "host", "port", "authority")
            + rights("EXECUTE", on: "show_enrolment", "look_at_ids", "ask_enrolment", "drop_enrolment")
            + rights(
                "SELECT", onColumnsOf: "audit_entry", "entry_id", "at", "action", "outcome", "actor_id", "account_id",
                "owner_id", "device_id", "subject", "changes", "session_id", "network")
            + rights("EXECUTE", on: "note_refusal", "note_failed_sign_in", "note_export")
            + rights("EXECUTE", on: "put_tank_answers")
            + rights("SELECT", on: "deletion", "approval")
            + rights("EXECUTE", on: "delete_readings", "approve_period", "withdraw_approval")
            + rights(
                "SELECT", onColumnsOf: "escalation", "slot", "device_id", "parameter", "account_id", "kind",
                "escalation_id")
            + rights("SELECT", onColumnsOf: "escalation_call", "slot", "escalation_id", "called_at", "outcome")
            + rights(
                "SELECT", onColumnsOf: "summary_choice", "account_id", "rhythm", "weekday", "at_time", "proofs",
                "next_at")
            + rights(
                "SELECT", onColumnsOf: "account", "account_id", "email", "locale", "time_zone", "throttle_seconds",
                "colour_scheme", "settings_version", "created_at", "throttle_ends", "throttle_was", "display_name",
                "kind")
            + rights("SELECT", onColumnsOf: "device", "slot", "device_id", "hardware_id", "kind")
            + rights(
                "SELECT", onColumnsOf: "personal_token", "token_id", "account_id", "name", "scope", "last_four",
                "created_at", "expires_at", "used_on", "revoked_at", "made_in")
            + rights(
                "INSERT", on: "setting", "personal_token", "device_invitation", "idempotency_key", "snooze")
            + rights("UPDATE", on: "device_invitation", "idempotency_key")
            + rights(
                "UPDATE", onColumnsOf: "account", "locale", "time_zone", "throttle_seconds", "colour_scheme",
                "settings_version", "display_name")
            + rights(
                "UPDATE", onColumnsOf: "ownership", "name", "latitude", "longitude", "place_accuracy", "place_source",
                "version", "shows_on_device", "moves")
            + rights("UPDATE", onColumnsOf: "setting", "valid_until")
            + rights("UPDATE", onColumnsOf: "snooze", "ended_at")
            + rights("UPDATE", onColumnsOf: "alert", "state")
            + rights("UPDATE", onColumnsOf: "delivery", "next_attempt_at")
            + rights(
                "UPDATE", onColumnsOf: "endpoint", "sealed_secret", "former_secret", "former_until", "retired_at",
                "retired_because", "rings_always", "only_urgent", "form", "sealed_template", "template_type")
            + rights("UPDATE", onColumnsOf: "usable_endpoint", "sealed_secret")
            + rights("UPDATE", onColumnsOf: "personal_token", "revoked_at")
            + rights(
                "DELETE", on: "personal_token", "device_invitation", "idempotency_key", "reminder_person",
                "reminder_act",
                "calendar_feed")
            + rights(
                "EXECUTE", on: "enter_session", "enter_token", "look_at_account_invitation",
                "open_account", "open_session", "refresh_session", "end_sessions", "end_session_of_token",
                "intake_late_since", "measured_series", "clock_lag", "replace_password", "rehash_password",
                "claim_device",
                "unlink_device", "end_watching", "close_account",
                "look_at_invitation", "join_device", "last_reading", "number_endpoint", "add_endpoint",
                "add_test_alert", "send_again",
                "find_familiarity", "latest_readings", "live_samples", "replay_samples", "live_devices",
                "live_troubles",
                "followed_devices", "live_alerts", "living_sessions", "living_tokens", "number_web_push",
                "add_web_push", "number_installed", "add_installed",
                "setup_parts", "hold_session", "choose_probe", "name_session", "prove_session",
                "undo_session",
                "current_account", "find_password_salt", "check_password", "live_ticket",
                "follow_slots", "unfollow_slots", "forget_snoozes", "ask_password_reset", "look_at_password_reset",
                "reset_password", "stop_endpoint", "enter_answer", "give_answer", "list_answers",
                "list_company", "what_is_gathered", "set_quiet_hours", "remove_quiet_hours", "show_chain",
                "list_callable", "lock_chains", "set_chain",
                "list_calls_asked", "agree_to_calls", "list_calls", "next_call", "call_goes_on", "last_escalation",
                "note_arrival", "person_ways", "ask_summary", "set_summary", "put_work", "change_work", "enter_care",
                "enter_feed", "lock_tank_reminders", "return_sign_in", "open_session_by_identity",
                "open_account_by_identity", "link_identity", "unlink_identity", "prove_session_by_identity",
                "has_password", "password_lets_in", "end_sessions_by_provider", "limit_turns"),
        "aqua_enroller": rights("SELECT", on: "schema_migration", "schema_script")
            + rights(
                "EXECUTE", on: "beat_enroller", "take_enrolments", "settle_enrolment", "enrol_device", "rekey_device"),
    ]

    private static func rights(_ privilege: String, on objects: String...) -> [Right] {
        objects.map { Right(privilege: privilege, object: $0) }
    }

    private static func rights(_ privilege: String, onColumnsOf table: String, _ columns: String...) -> [Right] {
        rights(privilege, onColumnsOf: table, columns)
    }

    private static func rights(_ privilege: String, onColumnsOf table: String, _ columns: [String]) -> [Right] {
        columns.map { Right(privilege: privilege, object: "\(table)(\($0))") }
    }
}
