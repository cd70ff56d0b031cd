import Instants
import Postgres
import Secrets
import Store
import WaterQuality

/// A page as its owner chose it.
struct OwnPage: Sendable {
    struct Tank: Hashable, Sendable {
        var device: Device.HardwareID
        /// The owner's words for it on the page.
        var title: String
    }

    var title: String
    var parameters: ParameterSet
    var days: Int16
    /// Whether it shows if a value is within the owner's limits.
    var showsState: Bool
    var tanks: [Tank]
    var sealedToken: SealedSecret
    var publishedAt: Timestamp
}

/// The page of one device of the named account's, or, where none is given, its page of many.
struct FindOwnPage: Statement {
    static let sql = """
        SELECT p.title, p.parameters, p.days, p.limits, p.sealed_token, p.published_at,
            array_agg(d.hardware_id ORDER BY t.place), array_agg(coalesce(t.title, p.title) ORDER BY t.place)
        FROM public_page p
        JOIN public_page_tank t ON t.page_id = p.page_id
        JOIN ownership o ON o.slot = t.slot AND o.ownership_id = t.tank_id AND o.account_id = p.account_id AND o.unlinked_at IS NULL
        JOIN device d ON d.slot = o.slot AND d.device_id = o.device_id
        WHERE p.account_id = $1 AND CASE
            WHEN $2::text IS NULL THEN p.slot IS NULL
            ELSE p.slot IS NOT NULL AND d.hardware_id = $2 END
        GROUP BY p.page_id, p.title, p.parameters, p.days, p.limits, p.sealed_token, p.published_at
        """
    let account: Account.ID
    let device: Device.HardwareID?

    init(of account: Account.ID, at device: Device.HardwareID?) {
        self.account = account
        self.device = device
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(device?.text)
    }

    static func decode(_ row: inout RowReader) throws -> OwnPage {
        let (title, parameters) = try (row.read(String.self), ParameterSet(rawValue: row.read()))
        let (days, showsState) = try (row.read(Int16.self), row.read(Bool.self))
        let (sealed, publishedAt) = try (row.read([UInt8].self), row.read(Timestamp.self))
        let (devices, titles) = try (row.read([String].self), row.read([String].self))
        return OwnPage(
            title: title, parameters: parameters, days: days, showsState: showsState,
            tanks: zip(devices, titles).compactMap { text, title in
                Device.HardwareID(text).map { OwnPage.Tank(device: $0, title: title) }
            }, sealedToken: SealedSecret(stored: sealed), publishedAt: publishedAt)
    }
}

/// Shows a page, or changes it.
struct PublishPage: Statement {
    static let sql = "SELECT publish_page($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"

    enum Outcome: String, CaseIterable, Sendable {
        case published
        /// A device is not the account's.
        case notOwn
        /// A person has pages of single devices alone.
        case notProject
    }

    /// Whether it is the account's page of many.
    let isOfMany: Bool
    let page: PageWish
    let tokenHash: [UInt8]
    let sealedToken: SealedSecret

    func bind(_ parameters: inout Parameters) {
        parameters.append(isOfMany)
        parameters.append(page.title)
        parameters.append(page.parameters)
        parameters.append(page.days)
        parameters.append(page.showsState)
        parameters.append(page.tanks.map(\.device.text))
        parameters.append(page.tanks.map(\.title))
        parameters.append(tokenHash)
        parameters.append(sealedToken.bytes)
        parameters.append(page.renewsAddress)
    }

    static func decode(_ row: inout RowReader) throws -> Outcome { try row.read() }
}

/// Withdraws the page of a device of the named account's, or its page of many. False: there is none.
struct WithdrawPage: Statement {
    static let sql = "SELECT withdraw_page($1)"
    let device: Device.HardwareID?
    init(of device: Device.HardwareID?) { self.device = device }
    func bind(_ parameters: inout Parameters) { parameters.append(device?.text) }
    static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}
