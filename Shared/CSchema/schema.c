#include "CSchema.h"

static const unsigned char tables_alerts[] = {
#embed "../Store/Schema/Tables/alerts.sql"
};

static const unsigned char tables_decisions[] = {
#embed "../Store/Schema/Tables/decisions.sql"
};

static const unsigned char tables_devices[] = {
#embed "../Store/Schema/Tables/devices.sql"
};

static const unsigned char tables_ground[] = {
#embed "../Store/Schema/Tables/ground.sql"
};

static const unsigned char tables_limits[] = {
#embed "../Store/Schema/Tables/limits.sql"
};

static const unsigned char tables_people[] = {
#embed "../Store/Schema/Tables/people.sql"
};

static const unsigned char tables_readings[] = {
#embed "../Store/Schema/Tables/readings.sql"
};

static const unsigned char migrations_0048_reef_and_pool[] = {
#embed "../Store/Schema/Migrations/0048_reef_and_pool.sql"
};

static const unsigned char migrations_0049_silicate[] = {
#embed "../Store/Schema/Migrations/0049_silicate.sql"
};

static const unsigned char migrations_0050_languages[] = {
#embed "../Store/Schema/Migrations/0050_languages.sql"
};

static const unsigned char migrations_0051_channels_and_rights[] = {
#embed "../Store/Schema/Migrations/0051_channels_and_rights.sql"
};

static const unsigned char migrations_0052_mail[] = {
#embed "../Store/Schema/Migrations/0052_mail.sql"
};

static const unsigned char migrations_0053_answers[] = {
#embed "../Store/Schema/Migrations/0053_answers.sql"
};

static const unsigned char migrations_0054_gatherings[] = {
#embed "../Store/Schema/Migrations/0054_gatherings.sql"
};

static const unsigned char migrations_0055_escalations[] = {
#embed "../Store/Schema/Migrations/0055_escalations.sql"
};

static const unsigned char migrations_0056_kinds[] = {
#embed "../Store/Schema/Migrations/0056_kinds.sql"
};

static const unsigned char migrations_0057_receipts[] = {
#embed "../Store/Schema/Migrations/0057_receipts.sql"
};

static const unsigned char migrations_0058_notes[] = {
#embed "../Store/Schema/Migrations/0058_notes.sql"
};

static const unsigned char migrations_0059_only_urgent[] = {
#embed "../Store/Schema/Migrations/0059_only_urgent.sql"
};

static const unsigned char migrations_0060_webhook_forms[] = {
#embed "../Store/Schema/Migrations/0060_webhook_forms.sql"
};

static const unsigned char migrations_0061_displays[] = {
#embed "../Store/Schema/Migrations/0061_displays.sql"
};

static const unsigned char migrations_0062_apps[] = {
#embed "../Store/Schema/Migrations/0062_apps.sql"
};

static const unsigned char migrations_0063_canary[] = {
#embed "../Store/Schema/Migrations/0063_canary.sql"
};

static const unsigned char migrations_0064_summaries[] = {
#embed "../Store/Schema/Migrations/0064_summaries.sql"
};

static const unsigned char migrations_0065_changes_of_ways[] = {
#embed "../Store/Schema/Migrations/0065_changes_of_ways.sql"
};

static const unsigned char migrations_0066_answers_on_displays[] = {
#embed "../Store/Schema/Migrations/0066_answers_on_displays.sql"
};

static const unsigned char migrations_0067_taken_back[] = {
#embed "../Store/Schema/Migrations/0067_taken_back.sql"
};

static const unsigned char migrations_0068_tanks[] = {
#embed "../Store/Schema/Migrations/0068_tanks.sql"
};

static const unsigned char migrations_0069_work[] = {
#embed "../Store/Schema/Migrations/0069_work.sql"
};

static const unsigned char migrations_0070_by_hand[] = {
#embed "../Store/Schema/Migrations/0070_by_hand.sql"
};

static const unsigned char migrations_0071_journal[] = {
#embed "../Store/Schema/Migrations/0071_journal.sql"
};

static const unsigned char migrations_0072_reminders[] = {
#embed "../Store/Schema/Migrations/0072_reminders.sql"
};

static const unsigned char migrations_0073_sent_again[] = {
#embed "../Store/Schema/Migrations/0073_sent_again.sql"
};

static const unsigned char migrations_0074_turns[] = {
#embed "../Store/Schema/Migrations/0074_turns.sql"
};

static const unsigned char migrations_0075_turns_of_deliveries[] = {
#embed "../Store/Schema/Migrations/0075_turns_of_deliveries.sql"
};

static const unsigned char migrations_0076_calibration[] = {
#embed "../Store/Schema/Migrations/0076_calibration.sql"
};

static const unsigned char migrations_0077_questionnaire[] = {
#embed "../Store/Schema/Migrations/0077_questionnaire.sql"
};

static const unsigned char migrations_0078_audit[] = {
#embed "../Store/Schema/Migrations/0078_audit.sql"
};

static const unsigned char migrations_0079_device_life[] = {
#embed "../Store/Schema/Migrations/0079_device_life.sql"
};

static const unsigned char migrations_0080_identities[] = {
#embed "../Store/Schema/Migrations/0080_identities.sql"
};

static const unsigned char migrations_0081_corrections[] = {
#embed "../Store/Schema/Migrations/0081_corrections.sql"
};

static const unsigned char migrations_0082_projects[] = {
#embed "../Store/Schema/Migrations/0082_projects.sql"
};

static const unsigned char migrations_0083_owed_removals[] = {
#embed "../Store/Schema/Migrations/0083_owed_removals.sql"
};

static const unsigned char migrations_0084_still_after_work[] = {
#embed "../Store/Schema/Migrations/0084_still_after_work.sql"
};

static const unsigned char migrations_0085_makers[] = {
#embed "../Store/Schema/Migrations/0085_makers.sql"
};

static const unsigned char migrations_0086_enrolment[] = {
#embed "../Store/Schema/Migrations/0086_enrolment.sql"
};

static const unsigned char migrations_0087_shifts[] = {
#embed "../Store/Schema/Migrations/0087_shifts.sql"
};

static const unsigned char migrations_0088_limit_periods[] = {
#embed "../Store/Schema/Migrations/0088_limit_periods.sql"
};

static const unsigned char migrations_0089_sites[] = {
#embed "../Store/Schema/Migrations/0089_sites.sql"
};

static const unsigned char migrations_0090_public_pages[] = {
#embed "../Store/Schema/Migrations/0090_public_pages.sql"
};

static const unsigned char migrations_0091_plans[] = {
#embed "../Store/Schema/Migrations/0091_plans.sql"
};

static const unsigned char migrations_0092_presets[] = {
#embed "../Store/Schema/Migrations/0092_presets.sql"
};

static const unsigned char migrations_0093_operation[] = {
#embed "../Store/Schema/Migrations/0093_operation.sql"
};

static const unsigned char migrations_0094_companions[] = {
#embed "../Store/Schema/Migrations/0094_companions.sql"
};

static const unsigned char migrations_0095_track[] = {
#embed "../Store/Schema/Migrations/0095_track.sql"
};

static const unsigned char migrations_0096_sites[] = {
#embed "../Store/Schema/Migrations/0096_sites.sql"
};

static const unsigned char migrations_0097_field[] = {
#embed "../Store/Schema/Migrations/0097_field.sql"
};

static const unsigned char migrations_0098_zones[] = {
#embed "../Store/Schema/Migrations/0098_zones.sql"
};

static const unsigned char migrations_0099_stations[] = {
#embed "../Store/Schema/Migrations/0099_stations.sql"
};

static const unsigned char migrations_0100_organisations[] = {
#embed "../Store/Schema/Migrations/0100_organisations.sql"
};

static const unsigned char migrations_0101_station_hosts[] = {
#embed "../Store/Schema/Migrations/0101_station_hosts.sql"
};

static const unsigned char migrations_takeover[] = {
#embed "../Store/Schema/Migrations/takeover.sql"
};

static const unsigned char scripts_account_events[] = {
#embed "../Store/Schema/Scripts/account_events.sql"
};

static const unsigned char scripts_answers[] = {
#embed "../Store/Schema/Scripts/answers.sql"
};

static const unsigned char scripts_audit[] = {
#embed "../Store/Schema/Scripts/audit.sql"
};

static const unsigned char scripts_by_hand[] = {
#embed "../Store/Schema/Scripts/by_hand.sql"
};

static const unsigned char scripts_canary[] = {
#embed "../Store/Schema/Scripts/canary.sql"
};

static const unsigned char scripts_care[] = {
#embed "../Store/Schema/Scripts/care.sql"
};

static const unsigned char scripts_census[] = {
#embed "../Store/Schema/Scripts/census.sql"
};

static const unsigned char scripts_changes[] = {
#embed "../Store/Schema/Scripts/changes.sql"
};

static const unsigned char scripts_clock[] = {
#embed "../Store/Schema/Scripts/clock.sql"
};

static const unsigned char scripts_companions[] = {
#embed "../Store/Schema/Scripts/companions.sql"
};

static const unsigned char scripts_corrections[] = {
#embed "../Store/Schema/Scripts/corrections.sql"
};

static const unsigned char scripts_device_life[] = {
#embed "../Store/Schema/Scripts/device_life.sql"
};

static const unsigned char scripts_device_reports[] = {
#embed "../Store/Schema/Scripts/device_reports.sql"
};

static const unsigned char scripts_displays[] = {
#embed "../Store/Schema/Scripts/displays.sql"
};

static const unsigned char scripts_endpoints[] = {
#embed "../Store/Schema/Scripts/endpoints.sql"
};

static const unsigned char scripts_enrolment[] = {
#embed "../Store/Schema/Scripts/enrolment.sql"
};

static const unsigned char scripts_erasing[] = {
#embed "../Store/Schema/Scripts/erasing.sql"
};

static const unsigned char scripts_escalations[] = {
#embed "../Store/Schema/Scripts/escalations.sql"
};

static const unsigned char scripts_field[] = {
#embed "../Store/Schema/Scripts/field.sql"
};

static const unsigned char scripts_former_tanks[] = {
#embed "../Store/Schema/Scripts/former_tanks.sql"
};

static const unsigned char scripts_gatherings[] = {
#embed "../Store/Schema/Scripts/gatherings.sql"
};

static const unsigned char scripts_identities[] = {
#embed "../Store/Schema/Scripts/identities.sql"
};

static const unsigned char scripts_journal[] = {
#embed "../Store/Schema/Scripts/journal.sql"
};

static const unsigned char scripts_latest[] = {
#embed "../Store/Schema/Scripts/latest.sql"
};

static const unsigned char scripts_limits[] = {
#embed "../Store/Schema/Scripts/limits.sql"
};

static const unsigned char scripts_linking[] = {
#embed "../Store/Schema/Scripts/linking.sql"
};

static const unsigned char scripts_live[] = {
#embed "../Store/Schema/Scripts/live.sql"
};

static const unsigned char scripts_mail[] = {
#embed "../Store/Schema/Scripts/mail.sql"
};

static const unsigned char scripts_notes[] = {
#embed "../Store/Schema/Scripts/notes.sql"
};

static const unsigned char scripts_operation[] = {
#embed "../Store/Schema/Scripts/operation.sql"
};

static const unsigned char scripts_organisations[] = {
#embed "../Store/Schema/Scripts/organisations.sql"
};

static const unsigned char scripts_parameters[] = {
#embed "../Store/Schema/Scripts/parameters.sql"
};

static const unsigned char scripts_partitions[] = {
#embed "../Store/Schema/Scripts/partitions.sql"
};

static const unsigned char scripts_person_readings[] = {
#embed "../Store/Schema/Scripts/person_readings.sql"
};

static const unsigned char scripts_plans[] = {
#embed "../Store/Schema/Scripts/plans.sql"
};

static const unsigned char scripts_presets[] = {
#embed "../Store/Schema/Scripts/presets.sql"
};

static const unsigned char scripts_projects[] = {
#embed "../Store/Schema/Scripts/projects.sql"
};

static const unsigned char scripts_proofs[] = {
#embed "../Store/Schema/Scripts/proofs.sql"
};

static const unsigned char scripts_public_pages[] = {
#embed "../Store/Schema/Scripts/public_pages.sql"
};

static const unsigned char scripts_questionnaire[] = {
#embed "../Store/Schema/Scripts/questionnaire.sql"
};

static const unsigned char scripts_reach[] = {
#embed "../Store/Schema/Scripts/reach.sql"
};

static const unsigned char scripts_receipts[] = {
#embed "../Store/Schema/Scripts/receipts.sql"
};

static const unsigned char scripts_reminders[] = {
#embed "../Store/Schema/Scripts/reminders.sql"
};

static const unsigned char scripts_rhythm[] = {
#embed "../Store/Schema/Scripts/rhythm.sql"
};

static const unsigned char scripts_sent_again[] = {
#embed "../Store/Schema/Scripts/sent_again.sql"
};

static const unsigned char scripts_sessions[] = {
#embed "../Store/Schema/Scripts/sessions.sql"
};

static const unsigned char scripts_shifts[] = {
#embed "../Store/Schema/Scripts/shifts.sql"
};

static const unsigned char scripts_sites[] = {
#embed "../Store/Schema/Scripts/sites.sql"
};

static const unsigned char scripts_stations[] = {
#embed "../Store/Schema/Scripts/stations.sql"
};

static const unsigned char scripts_summaries[] = {
#embed "../Store/Schema/Scripts/summaries.sql"
};

static const unsigned char scripts_track[] = {
#embed "../Store/Schema/Scripts/track.sql"
};

static const unsigned char scripts_triggers[] = {
#embed "../Store/Schema/Scripts/triggers.sql"
};

static const unsigned char scripts_work[] = {
#embed "../Store/Schema/Scripts/work.sql"
};

static const unsigned char scripts_zones[] = {
#embed "../Store/Schema/Scripts/zones.sql"
};

#define FILE(name, bytes) {name, bytes, sizeof bytes}

static const struct schema_file files[] = {
    FILE("Tables/alerts", tables_alerts),
    FILE("Tables/decisions", tables_decisions),
    FILE("Tables/devices", tables_devices),
    FILE("Tables/ground", tables_ground),
    FILE("Tables/limits", tables_limits),
    FILE("Tables/people", tables_people),
    FILE("Tables/readings", tables_readings),
    FILE("Migrations/0048_reef_and_pool", migrations_0048_reef_and_pool),
    FILE("Migrations/0049_silicate", migrations_0049_silicate),
    FILE("Migrations/0050_languages", migrations_0050_languages),
    FILE("Migrations/0051_channels_and_rights", migrations_0051_channels_and_rights),
    FILE("Migrations/0052_mail", migrations_0052_mail),
    FILE("Migrations/0053_answers", migrations_0053_answers),
    FILE("Migrations/0054_gatherings", migrations_0054_gatherings),
    FILE("Migrations/0055_escalations", migrations_0055_escalations),
    FILE("Migrations/0056_kinds", migrations_0056_kinds),
    FILE("Migrations/0057_receipts", migrations_0057_receipts),
    FILE("Migrations/0058_notes", migrations_0058_notes),
    FILE("Migrations/0059_only_urgent", migrations_0059_only_urgent),
    FILE("Migrations/0060_webhook_forms", migrations_0060_webhook_forms),
    FILE("Migrations/0061_displays", migrations_0061_displays),
    FILE("Migrations/0062_apps", migrations_0062_apps),
    FILE("Migrations/0063_canary", migrations_0063_canary),
    FILE("Migrations/0064_summaries", migrations_0064_summaries),
    FILE("Migrations/0065_changes_of_ways", migrations_0065_changes_of_ways),
    FILE("Migrations/0066_answers_on_displays", migrations_0066_answers_on_displays),
    FILE("Migrations/0067_taken_back", migrations_0067_taken_back),
    FILE("Migrations/0068_tanks", migrations_0068_tanks),
    FILE("Migrations/0069_work", migrations_0069_work),
    FILE("Migrations/0070_by_hand", migrations_0070_by_hand),
    FILE("Migrations/0071_journal", migrations_0071_journal),
    FILE("Migrations/0072_reminders", migrations_0072_reminders),
    FILE("Migrations/0073_sent_again", migrations_0073_sent_again),
    FILE("Migrations/0074_turns", migrations_0074_turns),
    FILE("Migrations/0075_turns_of_deliveries", migrations_0075_turns_of_deliveries),
    FILE("Migrations/0076_calibration", migrations_0076_calibration),
    FILE("Migrations/0077_questionnaire", migrations_0077_questionnaire),
    FILE("Migrations/0078_audit", migrations_0078_audit),
    FILE("Migrations/0079_device_life", migrations_0079_device_life),
    FILE("Migrations/0080_identities", migrations_0080_identities),
    FILE("Migrations/0081_corrections", migrations_0081_corrections),
    FILE("Migrations/0082_projects", migrations_0082_projects),
    FILE("Migrations/0083_owed_removals", migrations_0083_owed_removals),
    FILE("Migrations/0084_still_after_work", migrations_0084_still_after_work),
    FILE("Migrations/0085_makers", migrations_0085_makers),
    FILE("Migrations/0086_enrolment", migrations_0086_enrolment),
    FILE("Migrations/0087_shifts", migrations_0087_shifts),
    FILE("Migrations/0088_limit_periods", migrations_0088_limit_periods),
    FILE("Migrations/0089_sites", migrations_0089_sites),
    FILE("Migrations/0090_public_pages", migrations_0090_public_pages),
    FILE("Migrations/0091_plans", migrations_0091_plans),
    FILE("Migrations/0092_presets", migrations_0092_presets),
    FILE("Migrations/0093_operation", migrations_0093_operation),
    FILE("Migrations/0094_companions", migrations_0094_companions),
    FILE("Migrations/0095_track", migrations_0095_track),
    FILE("Migrations/0096_sites", migrations_0096_sites),
    FILE("Migrations/0097_field", migrations_0097_field),
    FILE("Migrations/0098_zones", migrations_0098_zones),
    FILE("Migrations/0099_stations", migrations_0099_stations),
    FILE("Migrations/0100_organisations", migrations_0100_organisations),
    FILE("Migrations/0101_station_hosts", migrations_0101_station_hosts),
    FILE("Migrations/takeover", migrations_takeover),
    FILE("Scripts/account_events", scripts_account_events),
    FILE("Scripts/answers", scripts_answers),
    FILE("Scripts/audit", scripts_audit),
    FILE("Scripts/by_hand", scripts_by_hand),
    FILE("Scripts/canary", scripts_canary),
    FILE("Scripts/care", scripts_care),
    FILE("Scripts/census", scripts_census),
    FILE("Scripts/changes", scripts_changes),
    FILE("Scripts/clock", scripts_clock),
    FILE("Scripts/companions", scripts_companions),
    FILE("Scripts/corrections", scripts_corrections),
    FILE("Scripts/device_life", scripts_device_life),
    FILE("Scripts/device_reports", scripts_device_reports),
    FILE("Scripts/displays", scripts_displays),
    FILE("Scripts/endpoints", scripts_endpoints),
    FILE("Scripts/enrolment", scripts_enrolment),
    FILE("Scripts/erasing", scripts_erasing),
    FILE("Scripts/escalations", scripts_escalations),
    FILE("Scripts/field", scripts_field),
    FILE("Scripts/former_tanks", scripts_former_tanks),
    FILE("Scripts/gatherings", scripts_gatherings),
    FILE("Scripts/identities", scripts_identities),
    FILE("Scripts/journal", scripts_journal),
    FILE("Scripts/latest", scripts_latest),
    FILE("Scripts/limits", scripts_limits),
    FILE("Scripts/linking", scripts_linking),
    FILE("Scripts/live", scripts_live),
    FILE("Scripts/mail", scripts_mail),
    FILE("Scripts/notes", scripts_notes),
    FILE("Scripts/operation", scripts_operation),
    FILE("Scripts/organisations", scripts_organisations),
    FILE("Scripts/parameters", scripts_parameters),
    FILE("Scripts/partitions", scripts_partitions),
    FILE("Scripts/person_readings", scripts_person_readings),
    FILE("Scripts/plans", scripts_plans),
    FILE("Scripts/presets", scripts_presets),
    FILE("Scripts/projects", scripts_projects),
    FILE("Scripts/proofs", scripts_proofs),
    FILE("Scripts/public_pages", scripts_public_pages),
    FILE("Scripts/questionnaire", scripts_questionnaire),
    FILE("Scripts/reach", scripts_reach),
    FILE("Scripts/receipts", scripts_receipts),
    FILE("Scripts/reminders", scripts_reminders),
    FILE("Scripts/rhythm", scripts_rhythm),
    FILE("Scripts/sent_again", scripts_sent_again),
    FILE("Scripts/sessions", scripts_sessions),
    FILE("Scripts/shifts", scripts_shifts),
    FILE("Scripts/sites", scripts_sites),
    FILE("Scripts/stations", scripts_stations),
    FILE("Scripts/summaries", scripts_summaries),
    FILE("Scripts/track", scripts_track),
    FILE("Scripts/triggers", scripts_triggers),
    FILE("Scripts/work", scripts_work),
    FILE("Scripts/zones", scripts_zones),
};

struct schema_file schema_file_at(size_t index) {
    return index < sizeof files / sizeof *files ? files[index] : (struct schema_file){0};
}
