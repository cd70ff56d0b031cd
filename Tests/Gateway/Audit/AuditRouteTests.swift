import HTTPTypes
import NIOHTTP1
import Routes
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Gateway

/// What people change through the routes is in the log, and everybody reads their own.
@Suite(.timeLimit(.minutes(5))) struct AuditRouteTests {
    /// The routes that change something of what the log keeps, each with the actions of its entries.
    private static let noted: [String: Set<AuditAction>] = [
        "signUp": [.accountOpen], "signIn": [.sessionOpen, .sessionRefuse], "endSession": [.sessionEnd],
        "endSessions": [.sessionEnd], "signPersonOut": [.sessionEnd], "changePassword": [.passwordChange, .sessionEnd],
        "completePasswordReset": [.passwordChange, .tokenRevoke, .identityUnlink, .invitationWithdraw],
        "closeAccount": [.accountClose, .pageWithdraw], "renewSession": [.sessionReuse],
        "undoSession": [
            .sessionEnd, .tokenRevoke, .endpointRemove, .endpointChangeForm, .endpointChangeTelling,
            .endpointChangeHours, .invitationWithdraw, .watcherLeave, .identityUnlink,
            .projectLeave, .memberLeave, .pageWithdraw,
        ],
        "createToken": [.tokenMake], "revokeToken": [.tokenRevoke],
        "addEndpoint": [.endpointAdd], "addCodedWebhook": [.endpointAdd], "addMessagingEndpoint": [.endpointAdd],
        "registerPushSubscription": [.endpointAdd], "registerNativeEndpoint": [.endpointAdd],
        "removeEndpoint": [.endpointRemove], "removePushSubscription": [.endpointRemove],
        "removeNativeEndpoint": [.endpointRemove], "endMails": [.endpointRemove],
        "changeEndpoint": [.endpointChangeTelling, .endpointChangeHours],
        "changeEndpointForm": [.endpointChangeForm], "rotateEndpointSecret": [.endpointChangeSecret],
        "linkDevice": [.deviceLink], "makeSite": [.deviceLink], "standAtSite": [.deviceChange],
        "leaveSite": [.deviceChange],
        "unlinkDevice": [
            .deviceUnlink, .watcherLeave, .workEnd, .invitationWithdraw, .pageWithdraw, .stationEnd,
        ],
        "createProject": [.accountOpen], "changeProject": [.accountChange],
        "dissolveProject": [
            .projectEnd, .memberLeave, .accountClose, .deviceUnlink, .watcherLeave, .invitationWithdraw, .tokenRevoke,
            .pageWithdraw,
        ],
        "inviteMember": [.invitationMake, .invitationWithdraw], "revokeProjectInvitation": [.invitationWithdraw],
        "joinProject": [.projectJoin, .memberJoin, .projectLeave, .memberLeave],
        "changeMember": [.projectChangePart, .invitationWithdraw, .tokenRevoke],
        "removeMember": [.projectLeave, .memberLeave, .invitationWithdraw, .tokenRevoke],
        "moveDevice": [.deviceLink, .deviceUnlink, .invitationWithdraw, .pageWithdraw],
        "changeProjectLimits": [.limitChange],
        "setShifts": [.shiftsChange, .accountChange], "coverShift": [.shiftsCover], "tellAlways": [.shiftsAlways],
        "changeDevice": [.deviceChange], "chooseProbe": [.probeChoose],
        "pairDevices": [.probePair, .probeWithdraw], "partDevices": [.probeWithdraw],
        "setStation": [.stationSet], "endStation": [.stationEnd],
        "inviteWatcher": [.invitationMake, .invitationWithdraw], "revokeInvitation": [.invitationWithdraw],
        "acceptInvitation": [.watcherJoin],
        "removeWatcher": [.watcherLeave],
        "changeParameter": [.limitChange], "changeParameters": [.limitChange], "resetParameters": [.limitChange],
        "applyPreset": [.limitChange], "applyPresetToMany": [.limitChange],
        "createPreset": [.presetChange], "changePreset": [.presetChange], "deletePreset": [.presetRemove],
        "snoozeAlert": [.alarmSnooze, .alarmResume], "acknowledgeAlert": [.alarmSnooze, .alarmAnswer, .alarmResume],
        "cancelSnooze": [.alarmResume], "answerAlarm": [.alarmAnswer, .alarmResume],
        "answerAlarmByLink": [.alarmAnswer, .alarmResume, .alarmSnooze],
        "answerAlarmByKey": [.alarmAnswer, .alarmResume, .alarmSnooze],
        "putWork": [.workBegin, .workEnd, .workExtend], "extendWork": [.workExtend], "finishWork": [.workEnd],
        "removeWork": [.workWithdraw],
        "unlinkIdentity": [.identityUnlink, .sessionEnd],
        "deleteReadings": [.readingsDelete], "deleteTrack": [.trackDelete],
        "approvePeriod": [.periodApprove], "withdrawApproval": [.periodWithdraw],
        "setChain": [.chainChange], "changeSettings": [.accountChange],
        "setQuietHours": [.quietHoursChange], "removeQuietHours": [.quietHoursChange],
        "publishDevice": [.pagePublish], "publishProject": [.pagePublish],
        "withdrawDevicePage": [.pageWithdraw], "withdrawProjectPage": [.pageWithdraw],
        "makePlan": [.planAdd], "renamePlan": [.planChange], "placeTanks": [.planChange],
        "putPlanPicture": [.planChange], "removePlanPicture": [.planChange], "removePlan": [.planRemove],
        "putFieldProtocol": [.protocolChange], "withdrawFieldSample": [.sampleWithdraw],
        "reviewFieldSample": [.sampleReview],
        "addSampleReceiver": [.receiverAdd], "endSampleReceiver": [.receiverRemove],
        "makeZone": [.zoneAdd], "changeZone": [.zoneChange], "removeZone": [.zoneRemove],
        "setSummary": [.summaryChange], "createCalendarFeed": [.feedAdd], "removeCalendarFeed": [.feedRemove],
    ]

    private static let journal = "care of the water, which the journal keeps with who did it"
    private static let secret = "proves a secret, or sends one; its effect is the next route's"
    private static let asked = "is asked of the enroller, who notes what it makes as the act of whoever asked"
    private static let sends = "sends a message, and changes nothing"

    /// The routes of whose changes there is no entry, each with the reason. A new route fails until it stands in one of both lists.
    private static let others: [String: String] = [
        "followProject": "takes the limits of a project, whose changes are noted",
        "lookAtProjectInvitation": secret, "proveSession": secret,
        "signOut": "ends the session in which it is asked, which the list of sessions shows",
        "lookAtInvitation": secret, "lookAtSignUpInvitation": secret, "askPasswordReset": secret,
        "linkIdentity": "sends the browser to the provider; the way back leaves the entry",
        "proveSessionByProvider": secret, "sendEndpointCode": secret, "sendWebhookCode": secret,
        "lookAtAlarm": "changes nothing", "lookAtReminders": "changes nothing", "noteArrival": "changes nothing",
        "previewReminder": "changes nothing", "previewWebhook": "changes nothing",
        "reorderParameters": "is a matter of looks", "agreeToCalls": "is a person's own word, which the chain shows",
        "putQuestionnaire": "sets no limit, and has versions of its own", "sendAlertsAgain": sends,
        "sendSummary": sends, "sendTestAlert": sends,
        "lookAtEnrolmentList": "changes nothing", "testLimitsOfMany": "changes nothing", "enrolDevices": asked,
        "renewDeviceKey": asked,
        "dropEnrolmentBatch": "deletes what was shown once",
        "putCalibration": journal, "removeCalibration": journal, "putJournalEntry": journal,
        "removeJournalEntry": journal, "putJournalPhoto": journal, "putJournalPhotoSmall": journal,
        "removeJournalPhoto": journal, "removeFormerWords": journal, "putTest": journal, "deleteTest": journal,
        "putFieldSample": journal, "putFieldPhoto": journal, "removeFieldPhoto": journal,
        "setReminder": journal,
        "endReminder": journal, "actOnReminder": journal, "undoCareAct": journal, "answerReminders": journal,
        "putLivestock": journal, "removeLivestock": journal, "putEquipment": journal, "removeEquipment": journal,
    ]

    /// Requests with the document's examples, as their owner: whatever each changes is noted as its list says.
    @Test func `every route that changes something leaves the entries that its list says, or is known to leave none`()
        async throws
    {
        let writing = GatewayAPI.make().routes.filter { $0.method != .get }
        let listed = Set(Self.noted.keys).union(Self.others.keys)
        #expect(Set(Self.noted.keys).isDisjoint(with: Self.others.keys))
        #expect(Set(writing.map(\.id)).subtracting(listed) == [], "say what they leave in the log")
        #expect(listed.subtracting(writing.map(\.id)) == [], "there are no such routes")
        try await GatewayUnderTest.with { gateway in
            let scene = try await ForeignScene(gateway)
            var seen: [String: Set<String>] = [:]
            for route in writing.sorted(by: { Self.rank($0) < Self.rank($1) }) {
                // Of a route with a secret in its path there is no example.
                let isWhole = route.path.parameters.isEmpty
                guard let places = try scene.owners(of: route) ?? (isWhole ? [:] : nil) else { continue }
                let last = try await gateway.ask("SELECT coalesce(max(entry_id), 0) FROM audit_entry")
                _ = try await gateway.ask(route, places, scene.anna)
                let actions = try await gateway.ask(
                    """
                    SELECT string_agg(DISTINCT action, ' ') FROM audit_entry
                    WHERE entry_id > \(last) AND action NOT IN ('request.refuse', 'account.open')
                    """
                ).split(separator: " ").map(String.init)
                seen[route.id] = Set(actions)
                let expected = Set((Self.noted[route.id] ?? []).map(\.rawValue))
                #expect(Set(actions).subtracting(expected) == [], "\(route.id)")
            }
            let left = Self.noted.keys.filter { seen[$0]?.isEmpty == false }
            #expect(left.count >= 12, "\(left.sorted())")
            for id in ["revokeToken", "removeWatcher", "unlinkDevice"] {
                #expect(seen[id]?.isEmpty == false, "\(id)")
            }
        }
    }

    /// What removes something comes last, devices last of all; nothing ends the sessions or the account of who asks.
    private static func rank(_ route: Route<Caller>) -> Int {
        switch route.id {
        case "moveDevice": return 4
        case "dissolveProject": return 5
        case "undoSession", "endSession": return 6
        case "endSessions", "signOut", "closeAccount", "changePassword": return 7
        default: break
        }
        guard route.method == .delete else { return 0 }
        return route.id == "unlinkDevice" ? 3 : route.path.parameters.count > 2 ? 1 : 2
    }

    private static func entries(
        _ scene: PersonScene, _ person: PersonScene.Person, _ query: String? = nil
    ) async throws -> [JSON] {
        let reply = try await scene.call("listAudit", as: person, query: query)
        #expect(reply.status == 200, "\(reply.json.text)")
        return reply.json["items"]?.array ?? []
    }

    @Test func `an entry says who changed what from what to what, by which request, from where`() async throws {
        try await PersonScene.with { scene in
            let changed = try await scene.call(
                "changeDevice", as: scene.ada, path: ["device": "pond-1"], body: ["name": "Carp"],
                headers: ["If-Match": "*"])
            #expect(changed.status == 200, "\(changed.json.text)")
            let entry = try #require(try await Self.entries(scene, scene.ada, "action=device.change").first)
            #expect(entry["actor"]?.string == "account" && entry["isOwn"] == .bool(true))
            #expect(entry["device"]?.string == "pond-1" && entry["subject"]?.string == "Carp")
            #expect(
                entry["changes"]?[0]?["field"]?.string == "name" && entry["changes"]?[0]?["after"]?.string == "Carp")
            #expect(entry["network"]?.string == "127.0.0.0/24")
            #expect(entry["request"]?.string == changed[header: "X-Request-Id"])
            #expect(try await Self.entries(scene, scene.ada, "device=pond-1&action=device").first == entry)
            #expect(try await Self.entries(scene, scene.ada, "device=pond-9").isEmpty)
            #expect(try await Self.entries(scene, scene.bob).allSatisfy { $0["device"] == .null }, "not Bob's")
        }
    }

    @Test func `pages follow each other, and the table has every line`() async throws {
        try await PersonScene.with { scene in
            for number in 1...5 {
                let body: JSON = ["name": .string("=Carp \(number)")]
                _ = try await scene.call(
                    "changeDevice", as: scene.ada, path: ["device": "pond-1"], body: body, headers: ["If-Match": "*"])
            }
            var ids: [Int64] = []
            var query: String? = "action=device.change&limit=2"
            while let asked = query {
                let page = try await scene.call("listAudit", as: scene.ada, query: asked)
                ids += page.json["items"]?.array?.compactMap { $0["id"]?.integer } ?? []
                query = page.json["next"]?.string.map { "action=device.change&limit=2&cursor=\($0)" }
            }
            #expect(ids.count == 5 && ids == ids.sorted(by: >) && Set(ids).count == 5)
            let table = try await scene.gateway.request(.GET, "/api/v1/audit.csv?action=device.change", scene.ada)
            #expect(table.status == 200 && table.text.split(separator: "\r\n").count == 6)
            #expect(table.text.hasPrefix("id,at,action,"))
            #expect(table.text.contains(",'=Carp 5,"), "no formula: \(table.text)")
        }
    }

    @Test func `what is refused for want of rights is counted, and listed at the first and the tenth time`()
        async throws
    {
        try await PersonScene.with { scene in
            let token = try await scene.gateway.personalToken(scene.ada, scope: "read")
            for _ in 1...12 {
                let reply = try await scene.gateway.request(
                    .PATCH, "/api/v1/devices/pond-1", token: token, json: ["name": "Mine"], headers: ["If-Match": "*"])
                #expect(reply.status == 403)
            }
            let refusals = try await Self.entries(scene, scene.ada, "action=request.refuse")
            #expect(refusals.map { $0["times"]?.integer } == [10, 1])
            #expect(refusals.allSatisfy { $0["outcome"]?.string == "refused" && $0["actor"]?.string == "token" })
            #expect(refusals.first?["target"]?.string == "changeDevice")
            #expect(refusals.first?["subject"]?.string == "insufficient-scope")
            #expect(try await scene.ask("SELECT name FROM ownership") != "Mine")
        }
    }

    @Test func `a wrong password is in the log of its account, and of nobody's it says nothing`() async throws {
        try await PersonScene.with { scene in
            for email in [scene.ada.email, "nobody@example.com"] {
                let reply = try await scene.gateway.request(
                    .POST, "/api/v1/sessions", json: ["email": .string(email), "password": "not hers at all"])
                #expect(reply.status == 401)
            }
            let refused = try await Self.entries(scene, scene.ada, "action=session.refuse")
            #expect(refused.count == 1 && refused.first?["actor"]?.string == "stranger")
            #expect(refused.first?["network"]?.string == "127.0.0.0/24")
            #expect(try await Self.entries(scene, scene.bob, "action=session.refuse").isEmpty)
            #expect(
                try await scene.ask(
                    "SELECT count(*) FROM audit_entry WHERE client LIKE '%nobody@%' OR subject LIKE '%nobody@%'") == "0"
            )
        }
    }

    @Test func `a token reads nothing of it, and an action of a newer version is listed as it stands`() async throws {
        try await PersonScene.with { scene in
            let token = try await scene.gateway.personalToken(scene.ada, scope: "write")
            for path in ["/api/v1/audit", "/api/v1/audit.csv"] {
                #expect(try await scene.gateway.request(.GET, path, token: token).status == 403)
            }
            try await scene.database.sql(
                "UPDATE audit_entry SET action = 'moon.land', actor = 'system' WHERE account_id = \(scene.ada.account)")
            let entries = try await Self.entries(scene, scene.ada)
            #expect(!entries.isEmpty && entries.allSatisfy { $0["action"]?.string == "moon.land" })
        }
    }

    @Test func `taking everything along is noted once it begins`() async throws {
        try await PersonScene.with { scene in
            let archive = try await scene.gateway.request(.GET, "/api/v1/account/export", scene.ada)
            #expect(archive.status == 200)
            let entries = try await Self.entries(scene, scene.ada, "action=account.export")
            #expect(entries.count == 1)
        }
    }
}
