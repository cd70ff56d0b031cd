import Instants
import Postgres
import Store
import WaterQuality

/// Something that happened on a person's account, for them to recognise.
struct AccountEvent: Sendable {
    enum Kind: String, CaseIterable, Sendable {
        case signedIn
        /// A session was ended from another one.
        case signedOutElsewhere
        /// A refresh token came back that was used before.
        case sessionStolen
        case passwordChanged, tokenMade, tokenRevoked, endpointAdded, endpointRemoved, invitationMade
        /// Somebody took an invitation up.
        case watcherJoined
        case watcherLeft
        /// The person watches a device no longer.
        case watchingEnded
        case deviceLinked, deviceUnlinked
        case projectJoined, projectLeft, projectRoleChanged, projectEnded, memberJoined, memberLeft
        /// The form of what a webhook is sent is another, or another template.
        case endpointFormChanged
        case endpointSecretChanged
        /// An endpoint is told of nothing but what is critical, and calls; or of everything.
        case endpointOnlyUrgent, endpointToldAll
        /// An identity at the sign-in provider was linked, or unlinked.
        case identityLinked, identityUnlinked
        /// The person operates the installation, or no longer.
        case operatorGiven, operatorTaken
        /// Quiet hours hold for an endpoint no longer, or again.
        case endpointRingsAlways, endpointHeedsQuietHours

        /// Whether its subject is the text by which a client calls itself.
        var isOfClient: Bool { [.signedIn, .signedOutElsewhere, .sessionStolen].contains(self) }
    }

    var number: Int64
    var kind: Word<Kind>
    var happenedAt: Timestamp
    /// The session in which it happened; `nil` for none, or for somebody else's.
    var session: SessionID?
    /// The name of a client, a token or a device, or the host of an endpoint.
    var subject: String?
    /// A choice, where it is a word of the program's: of a form its name.
    var detail: String?
    /// The network that somebody signed in from.
    var network: String?
}

/// Events of a person's account, the newest first.
struct ListAccountEvents: Statement {
    static let sql = """
        SELECT event_id, kind, happened_at, session_id, subject, detail, address FROM account_event
        WHERE account_id = $1 AND ($2::bigint IS NULL OR event_id < $2)
        ORDER BY event_id DESC
        LIMIT $3
        """
    let account: Account.ID
    let before: Int64?
    let limit: Int64

    /// - Parameter before: The number of the last event on the page before; `nil` for the first page.
    init(of account: Account.ID, before: Int64?, limit: Int) {
        self.account = account
        self.before = before
        self.limit = Int64(limit)
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(before)
        parameters.append(limit)
    }

    static func decode(_ row: inout RowReader) throws -> AccountEvent {
        try AccountEvent(
            number: row.read(), kind: row.read(), happenedAt: row.read(), session: row.read(), subject: row.read(),
            detail: row.read(), network: row.read())
    }
}

/// Lists what was made or changed in a session of a person and outlives it, the newest first. No row at all when the person has,
/// and lately had, no such session; one empty row when nothing was made in it.
struct ListMadeInSession: Statement {
    static let sql = """
        WITH made AS (
            SELECT 'endpoint' AS kind, e.target AS name, e.created_at
            FROM endpoint e WHERE e.account_id = $1 AND e.made_in = $2 AND e.retired_at IS NULL
            UNION ALL
            SELECT 'token', t.name, t.created_at
            FROM personal_token t WHERE t.account_id = $1 AND t.made_in = $2 AND t.revoked_at IS NULL
                AND (t.expires_at IS NULL OR t.expires_at > now())
            UNION ALL
            SELECT 'invitation', o.name, i.created_at
            FROM device_invitation i
            JOIN ownership o ON o.slot = i.slot AND o.device_id = i.device_id AND o.account_id = $1 AND o.unlinked_at IS NULL
            WHERE i.account_id = $1 AND i.made_in = $2 AND i.used_at IS NULL AND i.expires_at > now()
            UNION ALL
            SELECT 'watcher', w.name, w.linked_at FROM person_watcher w WHERE w.made_in = $2
            UNION ALL
            SELECT p.kind, p.name, p.created_at FROM person_project_made p WHERE p.made_in = $2
            UNION ALL
            SELECT 'identity', coalesce(i.name, i.issuer), i.created_at
            FROM account_identity i WHERE i.account_id = $1 AND i.made_in = $2
            UNION ALL
            SELECT 'page', p.title, p.published_at FROM public_page p WHERE p.account_id = $1 AND p.made_in = $2
            UNION ALL
            SELECT 'receiver', s.project, s.since FROM person_sending s WHERE s.made_in = $2
            UNION ALL
            SELECT 'change', e.target, coalesce((
                SELECT max(v.happened_at) FROM account_event v
                WHERE v.account_id = $1 AND v.session_id = $2 AND v.kind LIKE 'endpoint%'), e.created_at)
            FROM endpoint e
            WHERE e.account_id = $1 AND $2 IN (e.form_changed_in, e.told_changed_in, e.hours_changed_in) AND e.retired_at IS NULL
                AND e.made_in IS DISTINCT FROM $2
        )
        SELECT m.kind, m.name, m.created_at FROM session s LEFT JOIN made m ON true
        WHERE s.session_id = $2 AND s.account_id = $1
        ORDER BY m.created_at DESC
        """

    enum Kind: String, CaseIterable, Sendable {
        case endpoint, token, invitation, watcher
        /// A project that receives samples of a device or place.
        case receiver
        /// Of a project: somebody who takes part by an invitation, and an open invitation.
        case member, projectInvitation
        /// The person's identity at the sign-in provider.
        case identity
        /// A page that anybody reads who has its address.
        case page
        /// Another form of what an endpoint is sent, or what it is told, and when.
        case change
    }

    struct Made: Sendable {
        var kind: Kind
        /// An endpoint's name or address, also of one that was changed, of which only the host may be shown; the name of an invitation's device or
        /// project; a watcher's or a member's name, as others see them.
        var name: String
        var createdAt: Timestamp
    }

    let session: SessionID
    let account: Account.ID

    init(_ session: SessionID, of account: Account.ID) {
        self.session = session
        self.account = account
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(session)
    }

    /// - Returns: `nil` for the one row of a session in which nothing was made.
    static func decode(_ row: inout RowReader) throws -> Made? {
        let (kind, name, createdAt): (Kind?, String?, Timestamp?) = try (row.read(), row.read(), row.read())
        guard let kind, let name, let createdAt else { return nil }
        return Made(kind: kind, name: name, createdAt: createdAt)
    }
}

/// Ends a session of a person, and those that follow from it, and takes back what was made or changed in them and outlives them. False when the
/// person has, and lately had, no such session; `nil` when the session in which it is asked for is among those that follow.
struct UndoSession: Statement {
    static let sql = "SELECT undo_session($1, $2)"
    let session: SessionID
    let account: Account.ID

    init(_ session: SessionID, of account: Account.ID) {
        self.session = session
        self.account = account
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(session)
    }

    static func decode(_ row: inout RowReader) throws -> Bool? { try row.read() }
}
