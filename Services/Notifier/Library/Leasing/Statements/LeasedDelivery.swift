import Instants
import Postgres
import Store
import WaterQuality

/// A leased delivery of one alert to one endpoint, with everything that its message needs.
struct LeasedDelivery: Sendable {
    var key: DeliveryKey
    /// The registration of the endpoint. A finding about this one says nothing about a later one.
    var registration: Int32
    /// When whoever is there said last that the endpoint is theirs.
    var registeredAt: Timestamp
    var account: Account.ID
    var lease: LeaseName
    /// The number of attempts recorded before. It can be lower than the number of leases, because some are given back
    /// unsent.
    var tries: Int16
    var expiresAt: Timestamp
    /// Whether, as of the lease, the delivery is still its person's. It is not when, since the alert was expanded, the
    /// endpoint was retired or moved to another account, or the device was unlinked. The state is not checked again
    /// before the request, so a later change comes too late. That window is always shorter than the lease.
    var isStillTheirs: Bool
    /// Whether, as of the lease, what the alert says holds, and concerns the endpoint (`AlertTruth`).
    var isStillTrue: Bool
    /// Whether it is of a digest and over by now, and is told as such: it is the only word of what went on for hours.
    var isPast: Bool
    /// Whether this is a recovery notice for an endpoint that still awaits an older alert of the same watch. If it were
    /// sent first, a "still too high" would follow it.
    var waitsForOlder: Bool
    var channel: Word<Endpoint.Channel>
    var target: String
    /// The endpoint's secret and, while it is being changed, the former one.
    var sealedSecrets: [[UInt8]]
    /// The id of the key that a browser subscribed with.
    var vapidKey: String?
    /// The form of what the endpoint is sent.
    var form: StoredForm
    /// Of a mailbox, the text by which its person ends such mails.
    var stopToken: String?
    /// Of an alarm, the text by which whoever has the message answers it.
    var answerToken: String?
    /// Of a browser or an app, the text by which it tells that the message has arrived.
    var receiptToken: String?
    /// The database's clock at the time of the lease.
    var now: Timestamp
    /// Whether that clock may be trusted to end a delivery as too late.
    var isClockTrusted: Bool
    /// The first of the alerts that are told together with this one.
    var group: Alert.UID?
    /// Whether it tells later what was gathered.
    var isGathered: Bool
    var alert: StoredAlert

    /// Whether the delivery is too late only by a clock that may be wrong.
    var awaitsClock: Bool { !isClockTrusted && expiresAt <= now }

    init(_ row: inout RowReader) throws {
        let endpoint = try row.read(Endpoint.ID.self)
        registration = try row.read()
        registeredAt = try row.read()
        account = try row.read()
        lease = try LeaseName(number: row.read(), draw: row.read())
        tries = try row.read()
        expiresAt = try row.read()
        isStillTheirs = try row.read()
        isStillTrue = try row.read()
        isPast = try row.read()
        waitsForOlder = try row.read()
        channel = try row.read()
        target = try row.read()
        sealedSecrets = [try row.read()]
        if let former: [UInt8] = try row.read() { sealedSecrets.append(former) }
        vapidKey = try row.read()
        form = try StoredForm(&row)
        stopToken = try row.read()
        answerToken = try row.read()
        receiptToken = try row.read()
        now = try row.read()
        isClockTrusted = try row.read()
        group = try row.read()
        isGathered = try row.read()
        alert = try StoredAlert(&row)
        if isPast { alert.purpose = .known(.past) }
        key = DeliveryKey(slot: alert.key.slot, alert: alert.key.alert, endpoint: endpoint)
    }
}
