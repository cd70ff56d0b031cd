import HTTPTypes
import NIOHTTP1
import Routes
import TestSupport
import Testing

@testable import Gateway

/// Effects that outlive a credential need the password: neither a personal token nor a stolen session can cause them.
@Suite(.timeLimit(.minutes(5))) struct FreshSessionTests {
    typealias Person = GatewayUnderTest.Person

    /// The routes that change something without a fresh session, each with the fate of its effect when the credential
    /// ends. A new route fails here until somebody has decided that.
    private static let others = [
        "changePassword": "takes the password itself", "closeAccount": "takes the password itself",
        "proveSession": "takes the password itself", "proveSessionByProvider": "asks the provider who it is",
        "registerPushSubscription": "pauses with its session", "removePushSubscription": "comes back with the app",
        "registerNativeEndpoint": "pauses with its session", "removeNativeEndpoint": "comes back with the app",
        "revokeToken": "ends a credential", "revokeInvitation": "ends a credential",
        "linkDevice": "takes the device's code", "acceptInvitation": "takes the invitation's code",
        "changeDevice": "shows, and is set back", "changeSettings": "shows, and is set back",
        "changeParameter": "shows, and is set back", "reorderParameters": "shows, and is set back",
        "resetParameters": "shows, and is set back", "applyPreset": "shows, and is set back",
        "chooseProbe": "shows, and is set back", "pairDevices": "shows, and is taken apart",
        "partDevices": "shows, and is paired anew",
        "setStation": "shows, and is let go", "endStation": "shows, and is chosen anew",
        "changeParameters": "shows, and is set back", "putQuestionnaire": "shows, and is set back",
        "putWork": "ends by itself", "extendWork": "ends by itself", "finishWork": "alerts again",
        "removeWork": "alerts again",
        "changeEndpoint": "shows, and is set back; what silences takes the password",
        "setQuietHours": "shows, and is set back; what is critical rings", "removeQuietHours": "shows, and is set back",
        "setChain": "shows, and is set back; others agree themselves", "agreeToCalls": "shows, and is set back",
        "snoozeAlert": "ends by itself", "acknowledgeAlert": "ends by itself", "cancelSnooze": "alerts again",
        "answerAlarm": "ends by itself",
        "setSummary": "shows, and is set back; no weekly note takes the password", "sendSummary": "is over at once",
        "putTest": "shows, and is set back", "deleteTest": "takes away what was written down, and nothing else",
        "putCalibration": "shows, and is set back", "removeCalibration": "is written anew",
        "approvePeriod": "shows, and is withdrawn", "withdrawApproval": "shows, and is approved anew",
        "setReminder": "shows, and is set back", "endReminder": "shows, and is made anew",
        "actOnReminder": "shows, and is undone", "undoCareAct": "shows, and is done again",
        "previewReminder": "changes nothing", "removeCalendarFeed": "ends a credential",
        "lookAtEnrolmentList": "changes nothing", "dropEnrolmentBatch": "takes away what nobody else can read",
        "withdrawDevicePage": "shows nothing more", "withdrawProjectPage": "shows nothing more",
        "makePlan": "shows, and is removed", "renamePlan": "shows, and is set back",
        "placeTanks": "shows, and is set back", "putPlanPicture": "shows, and is taken away",
        "removePlanPicture": "is given anew", "removePlan": "is begun anew",
        "makeSite": "shows, and is given up", "standAtSite": "shows, and is set back",
        "leaveSite": "stands there anew",
        "makeZone": "shows, and is removed", "changeZone": "shows, and is set back", "removeZone": "is drawn anew",
        "joinProject": "takes the invitation's code", "revokeProjectInvitation": "ends a credential",
        "changeProject": "shows, and is set back", "changeProjectLimits": "shows, and is set back",
        "followProject": "shows, and is set back",
        "createPreset": "shows, and sets no limit", "changePreset": "shows, and sets no limit",
        "deletePreset": "is made anew", "applyPresetToMany": "shows, and is set back",
        "testLimitsOfMany": "changes nothing",
        "setShifts": "shows, and is set back; never is nobody told", "coverShift": "shows, and is set back",
        "tellAlways": "shows, and is set back",
        "sendTestAlert": "is over at once", "sendAlertsAgain": "is over at once", "previewWebhook": "changes nothing",
        "putJournalEntry": "shows, and is taken back", "putJournalPhoto": "shows, and is taken back",
        "putJournalPhotoSmall": "goes with its photo",
        "putFieldProtocol": "shows, and is set back", "putFieldSample": "shows, and is withdrawn",
        "withdrawFieldSample": "is sent again", "endSampleReceiver": "sends nothing more",
        "reviewFieldSample": "shows, and is set back",
        "putFieldPhoto": "shows, and is taken back", "removeFieldPhoto": "is added anew",
        "putLivestock": "shows, and is set back", "putEquipment": "shows, and is set back",
        // Whoever ticks the wrong thing by the tank takes it back with one tap; a backup has what a thief removes.
        "removeJournalEntry": "is written anew", "removeJournalPhoto": "is added anew",
        "removeLivestock": "is added anew",
        "removeEquipment": "is added anew",
    ]

    @Test func everyRouteSaysWhetherItOutlivesTheCredential() {
        let changing = GatewayAPI.make().routes.filter { $0.method != .get && $0.access != .anyone }
        let undecided = changing.filter { $0.access != .fresh }.map(\.id)
        #expect(Set(undecided) == Set(Self.others.keys))
        for route in changing where route.access == .fresh { #expect(route.allProblems.contains(.passwordNeeded)) }
        for route in changing where Self.others[route.id] == "takes the password itself" {
            #expect(route.inputs.contains { $0.name.lowercased().contains("password") }, "\(route.id)")
        }
    }

    /// A fingerprint of everything that remains when all sessions and tokens have ended.
    private func remains(_ gateway: GatewayUnderTest) async throws -> String {
        try await gateway.ask(
            """
            SELECT concat_ws(' ',
                (SELECT md5(string_agg(t::text, ',' ORDER BY endpoint_id)) FROM endpoint t),
                (SELECT string_agg(concat_ws('/', ownership_id, account_id, role, unlinked_at), ',' ORDER BY ownership_id)
                    FROM ownership JOIN device USING (slot, device_id) WHERE kind = 'device'),
                (SELECT string_agg(concat_ws('/', account_id, email, password_hash), ',' ORDER BY account_id) FROM account),
                (SELECT string_agg(concat_ws('/', device_id, encode(claim_code_hash, 'hex')), ',' ORDER BY device_id)
                    FROM device WHERE kind = 'device'),
                (SELECT string_agg(concat_ws('/', identity_id, account_id), ',' ORDER BY identity_id) FROM account_identity),
                (SELECT string_agg(concat_ws('/', session_id, ended_at), ',' ORDER BY session_id) FROM session))
            """)
    }

    /// Ways to get in, which may become fewer.
    private func entries(_ gateway: GatewayUnderTest) async throws -> Set<String> {
        let ids = try await gateway.ask(
            """
            SELECT coalesce(string_agg(id::text, ' '), '') FROM (
                SELECT invitation_id FROM device_invitation UNION SELECT token_id FROM personal_token UNION
                SELECT session_id FROM session) AS t (id)
            """)
        return Set(ids.split(separator: " ").map(String.init))
    }

    /// Routes that ask for the password themselves, which the scene gives.
    private static let takingThePassword: Set = ["changePassword", "closeAccount", "proveSession"]

    @Test func neitherAnOldSessionNorATokenLeavesAnythingBehind() async throws {
        try await GatewayUnderTest.with { gateway in
            let scene = try await ForeignScene(gateway)
            let token = try await gateway.personalToken(scene.anna, scope: "write")
            let program = Person(
                account: scene.anna.account, email: scene.anna.email, session: scene.anna.session, token: token)
            try await gateway.age()
            var refused: [String: Int] = [:]
            for (who, person) in [("session", scene.anna), ("token", program)] {
                let before = (remains: try await remains(gateway), entries: try await entries(gateway))
                for route in GatewayAPI.make().routes
                where route.method != .get && route.access != .anyone && !Self.takingThePassword.contains(route.id) {
                    let reply = try await gateway.ask(route, try scene.owners(of: route) ?? [:], person)
                    #expect(try await remains(gateway) == before.remains, "\(who): \(route.id) \(reply.text)")
                    #expect(try await entries(gateway).isSubset(of: before.entries), "\(who): \(route.id)")
                    guard route.access == .fresh else { continue }
                    refused[who, default: 0] += 1
                    #expect(
                        reply.status == 403
                            && reply.code == (person.token == token ? "insufficient-scope" : "password-needed"),
                        "\(who): \(route.id) \(reply.text)")
                }
            }
            #expect(refused["session"] == refused["token"] && refused["session", default: 0] >= 9)
        }
    }

    @Test func thePasswordMakesASessionFreshAndARepeatSucceeds() async throws {
        try await GatewayUnderTest.with { gateway in
            let (ada, eve) = (
                try await gateway.person("ada@example.org"), try await gateway.person("eve@example.org")
            )
            try await gateway.device("pond-1", of: ada)
            try await gateway.age()
            let path = "/api/v1/devices/pond-1"
            let key: HTTPHeaders = ["Idempotency-Key": "unlink"]
            let refused = try await gateway.request(.DELETE, path, ada, headers: key)
            #expect(refused.status == 403 && refused.code == "password-needed")
            #expect(refused[header: "WWW-Authenticate"]?.contains("insufficient_user_authentication") == true)
            let wrong = try await gateway.prove(ada, "not the password")
            #expect(wrong.status == 403 && wrong.code == "wrong-password")
            #expect(try await gateway.prove(eve).status == 204)
            #expect(try await gateway.request(.DELETE, path, ada, headers: key).code == "password-needed")
            #expect(try await gateway.prove(ada).status == 204)
            let done = try await gateway.request(.DELETE, path, ada, headers: key)
            #expect(done.status == 200 && done.json?["claimCode"]?.string != nil, "\(done.text)")
        }
    }

    /// A proof holds for one session, and for at most ten minutes.
    @Test func aProofIsOfOneSession() async throws {
        try await GatewayUnderTest.with { gateway in
            let ada = try await gateway.person("ada@example.org")
            let other = try await signIn(gateway, ada.email)
            try await gateway.age()
            #expect(try await gateway.prove(ada).status == 204)
            let body: JSON = ["name": "x", "scope": "read"]
            #expect(try await gateway.request(.POST, "/api/v1/tokens", ada, json: body).status == 201)
            let theirs = try await gateway.request(.POST, "/api/v1/tokens", token: other.accessToken, json: body)
            #expect(theirs.code == "password-needed")
            try await gateway.age()
            #expect(try await gateway.request(.POST, "/api/v1/tokens", ada, json: body).code == "password-needed")
        }
    }

    /// With a stolen token the device cannot be given away, nor a way back in opened.
    @Test func aLeakedTokenTakesNoDevice() async throws {
        try await GatewayUnderTest.with { gateway in
            let ada = try await gateway.person("ada@example.org")
            try await gateway.device("pond-1", of: ada)
            let token = try await gateway.personalToken(ada, scope: "write")
            let password: JSON = ["password": .string(Person.password)]
            for (method, path, body) in [
                (HTTPMethod.DELETE, "/devices/pond-1", JSON?.none), (.POST, "/devices/pond-1/invitations", nil),
                (.POST, "/sessions/proof", password),
            ] {
                let reply = try await gateway.request(method, "/api/v1\(path)", token: token, json: body)
                #expect(reply.status == 403 && reply.code == "insufficient-scope", "\(path)")
            }
            #expect(try await gateway.request(.GET, "/api/v1/devices/pond-1", ada).status == 200)
        }
    }

    /// Whether or not the action needed the password.
    @Test func whatIsDoneInASessionIsListedAsItsOwn() async throws {
        try await GatewayUnderTest.with { gateway in
            let ada = try await gateway.person("ada@example.org")
            try await gateway.device("pond-1", of: ada)
            let events = try await gateway.request(.GET, "/api/v1/account/events?limit=1", ada)
            let linked = events.json?["items"]?[0]
            #expect(linked?["kind"]?.string == "deviceLinked" && linked?["isThis"] == .bool(true), "\(events.text)")
        }
    }

    @Test func aSessionThatWasNotMineIsTakenBackWithAllThatItMade() async throws {
        try await GatewayUnderTest.with { gateway in
            let (ada, eve) = (
                try await gateway.person("ada@example.org"), try await gateway.person("eve@example.org")
            )
            try await gateway.device("pond-1", of: ada)
            let thief = try await signIn(gateway, ada.email)
            let asThief = Person(account: ada.account, email: ada.email, session: ada.session, token: thief.accessToken)
            #expect(try await gateway.accept(gateway.invite(to: "pond-1", by: asThief), eve).status == 201)
            let made = try await gateway.request(
                .POST, "/api/v1/tokens", token: thief.accessToken, json: ["name": "mine", "scope": "write"])
            let path = "/api/v1/sessions/\(thief.session)"
            let listed = try await gateway.request(.GET, "\(path)/made", ada)
            #expect(
                Set(listed.json?.array?.compactMap { $0["kind"]?.string } ?? []) == ["watcher", "token"],
                "\(listed.text)")
            #expect(try await gateway.request(.GET, "\(path)/made", eve).status == 404)
            #expect(try await gateway.request(.POST, "\(path)/undo", eve).status == 404)
            let events = try await gateway.request(.GET, "/api/v1/account/events?limit=3", ada)
            let items = events.json?["items"]?.array ?? []
            #expect(items.map { $0["kind"]?.string } == ["tokenMade", "watcherJoined", "invitationMade"])
            #expect(items.first?["session"]?.string == thief.session && items.first?["isThis"] == .bool(false))
            #expect(events.json?["next"]?.string != nil)
            #expect(try await gateway.request(.POST, "\(path)/undo", ada).status == 204)
            #expect(try await gateway.request(.GET, "/api/v1/account", token: thief.accessToken).status == 401)
            let token = try #require(made.json?["token"]?.string)
            #expect(try await gateway.request(.GET, "/api/v1/account", token: token).status == 401)
            #expect(try await gateway.request(.GET, "/api/v1/devices/pond-1", eve).status == 404)
            #expect(try await gateway.request(.GET, "\(path)/made", ada).json?.array?.isEmpty == true)
        }
    }

    /// Adding more than anybody needs is refused, but not as an internal error.
    @Test func beyondABoundTheAnswerIsToWait() async throws {
        try await GatewayUnderTest.with { gateway in
            let ada = try await gateway.person("ada@example.org")
            try await gateway.database.sql("UPDATE growth_bound SET a_day = 1 WHERE held = 'personal_token'")
            let body: JSON = ["name": "x", "scope": "read"]
            #expect(try await gateway.request(.POST, "/api/v1/tokens", ada, json: body).status == 201)
            let refused = try await gateway.request(.POST, "/api/v1/tokens", ada, json: body)
            #expect(refused.status == 429 && refused[header: "Retry-After"] == "3600", "\(refused.text)")
        }
    }
}

extension GatewayUnderTest {
    /// Makes all sessions an hour old, without a password given since.
    func age() async throws {
        try await database.sql("UPDATE session SET created_at = now() - interval '1 hour', proven_at = NULL")
    }

    func prove(_ person: Person, _ password: String = Person.password) async throws -> Reply {
        try await request(.POST, "/api/v1/sessions/proof", person, json: ["password": .string(password)])
    }
}
