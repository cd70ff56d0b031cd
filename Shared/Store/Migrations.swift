package import Postgres

/// The schema, step by step. A released step is never changed; add another instead. The exceptions state in their text
/// what they did before, and list that earlier text's checksum.
package enum Schema {
    /// All migrations, oldest first; their text is part of the binary.
    package static let migrations: [Migration] = [
        migration(
            1, "roles_and_slots", PackageResources._001_roles_and_slots_sql,
            former: [
                // The earlier text created the services' roles itself.
                "c87caae17c9d3ed0b5e5c62d28868fb326c00916169b8c6ff5cdecb453fc864c"
            ]),
        migration(2, "people_and_devices", PackageResources._002_people_and_devices_sql),
        migration(3, "samples", PackageResources._003_samples_sql),
        migration(4, "evaluation", PackageResources._004_evaluation_sql),
        migration(5, "alerts", PackageResources._005_alerts_sql),
        migration(
            6, "rights", PackageResources._006_rights_sql,
            former: [
                // The earlier text changed the roles' settings itself.
                "de827d622d7819140e4a2a6febd030eb097d292d7652345e97812e67581e1238"
            ]),
        migration(7, "life_of_data", PackageResources._007_life_of_data_sql),
        migration(8, "rotation", PackageResources._008_rotation_sql),
        migration(9, "lease_holders", PackageResources._009_lease_holders_sql),
        migration(10, "clock_and_rights", PackageResources._010_clock_and_rights_sql),
        migration(11, "seat_sessions", PackageResources._011_seat_sessions_sql),
        migration(12, "delivery_ids", PackageResources._012_delivery_ids_sql),
        migration(13, "clocks_and_floors", PackageResources._013_clocks_and_floors_sql),
        migration(14, "batches_by_receipt", PackageResources._014_batches_by_receipt_sql),
        migration(15, "sharing", PackageResources._015_sharing_sql),
        migration(16, "gateway", PackageResources._016_gateway_sql),
        migration(17, "erasure", PackageResources._017_erasure_sql),
        migration(18, "live", PackageResources._018_live_sql),
        migration(19, "web_push", PackageResources._019_web_push_sql),
        migration(20, "setups", PackageResources._020_setups_sql),
        migration(21, "silence", PackageResources._021_silence_sql),
        migration(22, "parameters", PackageResources._022_parameters_sql),
        migration(23, "rules", PackageResources._023_rules_sql),
        migration(24, "quality", PackageResources._024_quality_sql),
        migration(25, "probes", PackageResources._025_probes_sql),
        migration(26, "steadiness", PackageResources._026_steadiness_sql),
        migration(27, "device_keys", PackageResources._027_device_keys_sql),
        migration(28, "rate_of_change", PackageResources._028_rate_of_change_sql),
        migration(29, "lease_names", PackageResources._029_lease_names_sql),
        migration(30, "told_ahead", PackageResources._030_told_ahead_sql),
        migration(31, "flags", PackageResources._031_flags_sql),
        migration(32, "reported_probes", PackageResources._032_reported_probes_sql),
        migration(33, "flat_lines", PackageResources._033_flat_lines_sql),
        migration(34, "true_when_sent", PackageResources._034_true_when_sent_sql),
        migration(35, "clock_steps", PackageResources._035_clock_steps_sql),
        migration(36, "rhythm", PackageResources._036_rhythm_sql),
        migration(37, "time_outside", PackageResources._037_time_outside_sql),
        migration(38, "device_rejects", PackageResources._038_device_rejects_sql),
        migration(39, "proofs_and_bounds", PackageResources._039_proofs_and_bounds_sql),
        migration(40, "proofs", PackageResources._040_proofs_sql),
        migration(41, "backups", PackageResources._041_backups_sql),
        migration(42, "past_months", PackageResources._042_past_months_sql),
        migration(43, "sealed_addresses", PackageResources._043_sealed_addresses_sql),
        migration(44, "what_has_come", PackageResources._044_what_has_come_sql),
        migration(45, "since_alarm", PackageResources._045_since_alarm_sql),
        migration(46, "setup_parts", PackageResources._046_setup_parts_sql),
    ]

    /// Refuses a database whose schema is not this program's.
    /// - Throws: `SchemaMismatch`, which names the command that fixes it.
    package static func require(on connection: PostgresConnection) async throws {
        if let mismatch = SchemaMismatch(try await state(on: connection)) { throw mismatch }
    }

    /// - Throws: `SchemaMismatch` if the role may not read the state.
    static func state(on connection: PostgresConnection) async throws -> MigrationState {
        do {
            return try await Migrator(migrations).state(on: connection)
        } catch let error as PostgresError where error.code == .insufficientPrivilege {
            throw SchemaMismatch.unreadable
        }
    }

    private static func migration(
        _ number: Int32, _ name: String, _ sql: [UInt8], former: [String] = []
    ) -> Migration {
        Migration(number: number, name: name, sql: String(decoding: sql, as: UTF8.self), formerChecksums: former)
    }
}

/// The channels on which services notify each other of work. A notification is only a hint: a service that misses one
/// finds the work by polling.
package enum Channel {
    /// A batch waits in `evaluation_batch`; the payload names the slots, separated by commas.
    package static let evaluation = "evaluation"
    /// An alert waits in `alert`; the payload is empty.
    package static let alert = "alert"
    /// Followed devices have sent something; the payload is a `ReadingNotice`.
    package static let reading = "reading"
    /// The deliveries of an alert have progressed; the payload is the `description` of its `AlertKey`.
    package static let delivery = "delivery"
    /// The setup of some people changed; the payload is a `SetupNotice`.
    package static let setup = "setup"
}
