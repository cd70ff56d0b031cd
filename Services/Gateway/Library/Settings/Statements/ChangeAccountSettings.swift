import Postgres
import Store
import WaterQuality

/// Changes the settings of an account. The result is their next version; no row when they have another version than the given
/// one. SQLSTATE 22023 for a time zone that the server does not know.
struct ChangeAccountSettings: Statement {
    static let sql = """
        UPDATE account SET locale = $3, time_zone = $4, throttle_seconds = $5, colour_scheme = $6,
            display_name = $7, settings_version = settings_version + 1
        WHERE account_id = $1 AND settings_version = $2
        RETURNING settings_version
        """
    let account: Account.ID
    let version: Int32
    let settings: AccountSettings

    init(_ account: Account.ID, version: Int32, _ settings: AccountSettings) {
        self.account = account
        self.version = version
        self.settings = settings
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(version)
        parameters.append(settings.locale)
        parameters.append(settings.timeZone)
        parameters.append(settings.throttleSeconds)
        parameters.append(settings.colourScheme)
        parameters.append(settings.name)
    }

    static func decode(_ row: inout RowReader) throws -> Int32 { try row.read() }
}
