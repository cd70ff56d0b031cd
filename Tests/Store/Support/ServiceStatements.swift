import Instants
import Postgres
import Secrets
import Stations
import TestSupport
import WaterQuality

@testable import Gateway
@testable import Ingestor
@testable import Notifier
@testable import RulesEngine
@testable import Store

/// The statements of each service, with any values. PostgreSQL checks rights before the first row, so tables may be
/// empty.
enum ServiceStatements {
    static let device = DeviceKey(slot: Slot.all[1], device: Device.ID(rawValue: 1))
    static let hardwareID = Device.HardwareID("tank-1")!

    private static let dueStation = DueStation(
        slot: Slot.all[1], tank: 1, site: "site-1", account: Account.ID(rawValue: 1), station: .usgs("01646500"),
        choice: StationChoice(), host: "api.waterdata.usgs.gov", title: nil, series: [], seenUntil: nil, entityTag: nil,
        failures: 0, setAt: claimedAt, fetchedAt: nil)

    private static let floors = Slot.all.map { SlotFloor($0, floor: 0) }

    static let all: [(role: TestDatabase.Role, statements: [any Statement])] = [
        (
            .ingestor,
            [
                InsertNewSamples([]), FindStoredSamples([]), AddEvaluationBatches([]), MakePartitions(),
                RecordRejects([]), RecordStatuses([]), FindDevices(["tank-1"], kind: .device),
                TakeStation(pauseOfHost: .seconds(2)),
                RecordStation(dueStation, pause: .seconds(900)),
                RecordStationFault(dueStation, .busy, pause: .seconds(900)),
                PauseHost("sta.example", for: .seconds(900)), ReviseSamples([]), ListSeats(), TakeSeat(1),
                FindDeviceKeyHash(of: hardwareID),
                NoteProbes([:]), NoteReportedProbes([]), NoteDeviceLives([:]), CountDeviceRejects([]),
                DeleteOldRejects(limit: 1), KeepTrack([]), DeleteOldPositions(keep: .seconds(9 * 86_400), limit: 1),
                FindChoices(since: .zero), NoteClock(), AskClock(),
                ReadClosingClock(), FindFollowedSlots(),
                NotifyReadings(ReadingNotice([])),
                OpenSeat(1, proposal: "aqua:ingestor:1:test"),
                RecordSeat(1, sessionOpen: true, isLevel: true), MarkHoursDue([]), ClaimNextHour(), ClaimDueHour(),
                ClaimDueDays(limit: 1), MeasureUpkeep(), TakeCensus(),
                DropOldestPartition(of: .samples, keep: .seconds(9 * 86_400)),
                DropOldestPartition(of: .hours, keep: .seconds(9 * 86_400)),
                DeleteOldAlerts(keep: .seconds(9 * 86_400), limit: 1), EraseReadings(limit: 1), FindFormerParts([]),
                FindLastSamples(of: [device], now: claimedAt),
                ListDisplays(), ReadDisplays([device]), ReadLatestOfDisplays(of: [device]), ReadSinceOfDisplays([]),
                TakeDisplayTurn(), ConfirmDisplayTurn(), OweRemovals(of: ["tank-1"]), ListOwedRemovals(),
                SettleRemovals(of: []), PressButton(ButtonPress(id: "1", answer: .onIt), of: device),
                PressButton(ButtonPress(id: "2", .work(.feeding)), of: device),
                FindWorkedPeriods(on: device, in: claimedAt..<claimedAt + .seconds(60)),
                FollowSlots(1, SlotSet(), lasting: .seconds(1)), EndMemberships(limit: 1), ForgetEnrolments(limit: 1),
            ]
        ),
        (
            .rules,
            [
                ClaimSlots(Slot.all.map { ($0, nil) }), TakeBatches(floors, limitPerSlot: 1),
                FindWaitingBatches(floors), FindNewestBatch(), FindQueueWriters(), MeasureBacklog(floors),
                LoadDeviceClocks([device]),
                RecordDeviceClocks([]), ForgetDeviceClocks([]), MeasureDeviceClocks(),
                HastenRecoveries(latest: .seconds(660)),
                CountDecisions(Slot.all), ReadClock(), FindChangedDevices(known: [(Slot.all[0], 0)]),
                LoadRules([device]),
                FindNewestEvaluated([]), FindWatermarks([]), FindLastValues([]), FindOldestBatches(Slot.all),
                FindRecentValues([]),
                LoadOpenEpisodes([device], kinds: [.range]), LoadThrottles([device], kinds: [.range]),
                LoadSnoozes([device], kinds: [.range]), LoadRecentEpisodes([]),
                LoadWork([device]), FindLastWork([device]),
                FindRecipients([Account.ID(rawValue: 1)], most: 10), ReserveNumbers(episodes: 1, alerts: 1),
                WriteEpisodes([], .none),
                CancelRecoveries([]), AddTransitions([], .none), AddAlerts([], .none), ReplaceAlertTexts([], .none),
                ChargeThrottles([]),
                TakeDueRecoveries(limit: 1, floors: floors), SettleRecoveries([]), NoteClock(), AskClock(),
                TakeSilenceTurn(), RunSilenceClock(startsAnew: false), ReadSilentLives([device]),
                TakeSilenceChecks(limit: 1, silenceAfter: .seconds(300)),
                ReadParameterPauses(
                    [(ProbeKey(device: device, parameter: .ph), nil)], silenceAfter: .seconds(300)),
                LockSlots(Slot.all),
                FindSites(of: [device]), ReadHeard([device], silenceAfter: .seconds(300)), ReadSiteReturns(of: []),
                LoadPeople([device]), SetSilenceChecks([]), LoadProbeFaults([device]),
                TakeFlatLineLook(),
                EndHolders(), LoadFlatLines([device]), WriteFlatLines([]),
                ReadFlatLineHours([], until: claimedAt), NoteFlatLines([]), WriteProbeFaults([]),
                FindDueGatherings(limit: 1), LockGatheredSlots([person]), PutOffGatherings([person]),
                ListGathered(of: [person], limit: 1, staleAfter: .seconds(900)), SettleGathered([]),
                EndGatherings([person]), BeginGatherings([:]), FindDuties(of: [person], for: [device]),
                FindTurns(limit: 1), LockTurnSlots([]), ListOpenOfTurns([], limit: 1, staleAfter: .seconds(900)),
                SettleTurns([]),
                BeginEscalations([]), LockDueSlots(limit: 1), TakeDueEscalations(limit: 1, in: Slot.all), MakeCalls([]),
                CallOff([]), SettleEscalations([]),
                TakeHandTests(limit: 1), ReadHandJudgements([]), NoteJudged([]), FindMuteHandEpisodes(limit: 1),
                LoadHandLimits([device], in: period),
                TakeCompanions(limit: 1), ReadCompared([device]), FindLoneDifferences(limit: 1),
                LoadPairPeople([device]),
                SettleCompanions([device], again: .seconds(600), found: [(device, .ph, nil)]),
            ]
        ),
        (
            .notifier,
            [
                BecomeLeaseHolder(), ReturnAsLeaseHolder(LeaseHolder(rawValue: 1)),
                EndOrphanedLeases(absence: .seconds(3), slots: Slot.all),
                LeaseDeliveries(
                    slots: Slot.all, limit: 1, staleAfter: .seconds(60), lease: .seconds(60),
                    holder: LeaseHolder(rawValue: 1)),
                LeaseInTurn(
                    LeaseDeliveries(
                        slots: Slot.all, limit: 1, staleAfter: .seconds(60), lease: .seconds(60),
                        holder: LeaseHolder(rawValue: 1)),
                    after: person, without: [person]),
                RecallDeliveries(longest: .seconds(600), slots: Slot.all), LockAlerts([]),
                RecordAttempts([]), FindTrueAlerts([]), JudgeAlerts([]), SettleAlerts([]), ReleaseDeliveries([]),
                MeasureDeliveries(),
                NoteClock(), AskClock(), AnnounceVAPIDKeys([]), ReadVAPIDKeys(),
                TakeAccountMail(tokenHash: hash), NoteAccountMailSent(number: 1), TellFailedWays(),
                LookAtCanary(beats: true),
                SendSummaries(limit: 1), SendProofs(limit: 1),
                AnnounceAppChannels([:]), ReadAppChannels(),
                TakeDueReminders(by: claimedAt, limit: 1), SetBackReminder(dueBy: claimedAt), ReadLastActsOfAll(of: []),
                ReadInstants(instants),
                SettleLooks([], at: claimedAt), TellCareAgain(now: claimedAt),
                TellCare(now: claimedAt), ReplaceCare(now: claimedAt),
            ]
        ),
        (.gateway, gatewayStatements),
        (.enroller, enrollerStatements),
    ]

    static let person = Account.ID(rawValue: 1)
    static let hash = [UInt8](repeating: 1, count: 32)
    private static let client = SessionClient(id: nil, name: "Safari", address: "192.0.2.1/32")
    static let claimedAt = Timestamp(microseconds: 0)
    private static let identity = Identity(issuer: "https://id.example", subject: "1", name: nil)

    private static let gatewayStatements: [any Statement] =
        [
            EnterSession(SessionID(rawValue: 1)), NameSession(SessionID(rawValue: 1)), EnterToken(hash: hash),
            FindPasswordSalt(email: "a@example.org"),
            CheckPassword(of: person, derivedHash: "scrypt$"), FindFamiliarity(email: "a@example.org", on: nil),
            OpenAccount(
                email: "a@example.org", passwordHash: "scrypt$", locale: "en", timeZone: "UTC", invitation: hash),
            LookAtAccountInvitation(hash: hash), AskPasswordReset(email: "a@example.org", locale: "en"),
            LookAtPasswordReset(tokenHash: hash), ResetPassword(tokenHash: hash, passwordHash: "scrypt$"),
            StopEndpoint(token: "1-0"), NoteArrival(token: "0-1-1-\(String(repeating: "0", count: 32))"),
            OpenSession(person, checkedHash: "scrypt$", client: client, refreshTokenHash: hash),
            RefreshSession(hash: hash, successorHash: hash, sealedSuccessor: [], client: client),
            EndSessionOfToken(hash: hash), ListSessions(of: person), ReturnSignIn(stateHash: hash),
            OpenSessionByIdentity(
                identity: identity, client: client, refreshTokenHash: hash, providerSession: nil, authenticatedAt: nil),
            OpenAccountByIdentity(identity: identity, email: "b@example.org", locale: "en", timeZone: "UTC"),
            ListIdentities(of: person), PasswordLetsIn(person),
            EndSessionsByProvider(
                ProviderLogout(issuer: "https://id.example", subject: "1", session: nil, before: claimedAt)),
            FindOpeningIssuer(of: SessionID(rawValue: 1), account: person),
            ListPersonalTokens(of: person), RevokePersonalToken(of: person, PersonalTokenID(rawValue: 1)),
            CompleteIdempotencyKey(person, key: "k", claimedAt: claimedAt, status: 201, sealedAnswer: nil),
            ReleaseIdempotencyKey(person, key: "k", claimedAt: claimedAt), ReadAccount(person),
            ReadTimeZone(of: person), FindLateIntake(),
            FindObservedPeriod(slots: [device.slot.rawValue], devices: [device.device.rawValue]),
            ChangeAccountSettings(
                person, version: 1,
                AccountSettings(
                    locale: "ja", timeZone: "UTC", throttleSeconds: nil, colourScheme: .known(.dark), name: nil)),
            ReadQuietHours(of: person), RemoveQuietHours(),
            ReadSummary(of: person), SetSummary(.standard), AskSummary(uid: Alert.UID(rawValue: 1)),
            SetQuietHours(QuietHours(from: 1, until: 2, days: [.monday], silenceRings: true)),
            ChangeEndpoint(Endpoint.ID(rawValue: 1), of: person, ringsAlways: true, onlyUrgent: nil),
            ListTogether(with: AlertKey(slot: Slot.all[0], alert: Alert.ID(rawValue: 1))),
            ShowChain(of: device, alarm: nil), ListCallable(of: device), LockChains(of: device),
            SetChain([], of: device), ListAskedCalls(),
            AgreeToCalls(device: device, caller: 1, agreed: .no), ReadLastEscalation(of: device),
            ReadQuietEnd(account: person, time: claimedAt),
            ListCalls(of: AlertKey(slot: Slot.all[0], alert: Alert.ID(rawValue: 1))),
            ReadNextCall(of: AlertKey(slot: Slot.all[0], alert: Alert.ID(rawValue: 1))),
            ListAnswers(), EnterAnswer(token: "0-1-0-"),
            ReadCallAccount(endpoint: Endpoint.ID(rawValue: 1), account: person), ListCompany(of: device),
            GiveAnswer(
                .onIt, to: SnoozeKey(device: device, account: person, kind: .silence, parameter: nil, side: nil)),
            ReadAlarmState(of: AlertKey(slot: Slot.all[0], alert: Alert.ID(rawValue: 1))),
            LockAccount(person), CountEndpoints(of: person),
            ReadSetting(WatchKey(device: device, parameter: .ph, account: person)),
            EndSetting(WatchKey(device: device, parameter: .ph, account: person)),
            ReadDeliveries(AlertKey(slot: Slot.all[1], alert: Alert.ID(rawValue: 1))),
            WithdrawTestAlert(AlertKey(slot: Slot.all[1], alert: Alert.ID(rawValue: 1))),
            LockEndpoint(Endpoint.ID(rawValue: 1)), AskClock(),
        ] + operationStatements + mapStatements + journalStatements + exportStatements + endpointStatements
        + alertStatements
        + deviceStatements
        + careStatements + handStatements + fieldStatements + calibrationStatements + correctionStatements
        + projectStatements
        + enrolmentStatements

    private static let deviceStatements: [any Statement] = [
        ListLocations(.sites, LocationFilter(), limit: 1), ListObservations(LocationFilter(), limit: 1),
        ListHandSamples(LocationFilter(), below: .first, in: .always, limit: 1), FindSample(HandTestID(rawValue: 1)),
        ListPersonDevices(after: "", limit: 1), FindPersonDevice(Device.HardwareID("pond-1")!),
        FindJoinedDevice(device), ListPersonRejects(of: device), ListPersonProbes(of: device), FindDeviceBroker(),
        FindPersonLife(of: device), FindPersonLives(of: [device]), ListPersonVersions(),
        ListPersonLifeChanges(of: device),
        ChoosePersonProbe(ProbeID("AA01")!, of: device),
        LockOwnership(Device.HardwareID("pond-1")!, of: person),
        ChangeDevice(
            device: device, account: person, name: "Pond", place: SitePlace(), showsOnDevice: false, moves: false),
        MakeSite(account: person, name: "Weir", place: SitePlace(), defaults: []),
        StandAt(Device.HardwareID("pond-1")!, at: Device.HardwareID("site-1")!),
        StandNowhere(Device.HardwareID("pond-1")!), ListPlaces(of: device, before: nil, limit: 1),
        ListSettings(of: device, by: person), ListWatchers(of: device), LookAtInvitation(tokenHash: hash),
        AddDeviceInvitation(device: device, account: person, tokenHash: hash, lifetime: .seconds(60)),
        ListDeviceInvitations(of: device, by: person),
        RevokeDeviceInvitation(DeviceInvitation.ID(rawValue: 1), of: device, by: person), ListTimeZones(),
        FindWatchSubject(.ph, of: Device.HardwareID("pond-1")!, for: person),
        ReadPastValues(
            WatchKey(device: device, parameter: .ph, account: person), in: claimedAt..<claimedAt + .seconds(60)),
        ListSettingVersions(stretch), ListPastEpisodes(stretch),
        ListEpisodeChanges(of: [Episode.ID(rawValue: 1)], in: device.slot), ListPastAlerts(stretch),
        ListPastSnoozes(stretch), ListPastGatherings(of: person, in: stretch.period), ListPastCalls(stretch),
        ListPastShifts(stretch),
        ReadLocalTimes([claimedAt], of: person), ListWork(on: device, in: stretch.period), ReadClockLag(of: device),
        PageWork(on: device, before: nil, limit: 1), FindWork(device: device, id: WorkID(rawValue: 1)),
        FindCurrentWork(device: device),
        PutWork(
            device: device, id: WorkID(rawValue: 1),
            wish: PutWork.Wish(kind: .feeding, from: nil, until: nil, minutes: 15, keepsHard: true), known: nil),
        ChangeWork(device: device, id: WorkID(rawValue: 1), change: .finish),
    ]

    private static let instants = [(zone: "Europe/Vienna", time: CivilDay(number: 20_000).at(minutes: 90))]
    private static let reminder = ReminderKey(slot: device.slot, reminder: ReminderID(rawValue: 1))
    private static let act = CareActID(rawValue: 1)
    private static let day = CivilDay(number: 20_000)
    private static let done = CareAct(.done, on: day.at(minutes: 90), at: claimedAt, day: day)
    private static let content = ReminderContent(
        name: "Feed", activity: .feed,
        rule: ReminderRule(Recurrence(.daily(interval: 1)), minute: 90, zone: "UTC", startsOn: day), notes: "")

    private static let careStatements: [any Statement] = [
        ListTankReminders(of: tank.key), ListPersonReminders(since: claimedAt),
        FindReminder(reminder), LockReminder(reminder), LockTankReminders(of: tank.key),
        ChangeReminder(key: reminder, content: content, now: claimedAt, isAnotherRule: true),
        EndReminder(key: reminder),
        PlanReminder(key: reminder, nextAt: nil, lookedAt: claimedAt, now: claimedAt, isActed: true),
        ListTankPeople(of: [(device.slot, 1)]),
        ListTold(of: [reminder]), RemoveTold(key: reminder, account: person), ReadLastActs(of: [reminder]),
        ReadInstants(instants), ListCareActs(of: [reminder], in: day...day), ListLastDone(of: [reminder]),
        PageCareActs(of: reminder, below: nil, limit: 1), FindActs(key: reminder, id: act, day: day),
        ChangeAct(slot: device.slot, id: act, act: done), UndoAct(key: reminder, id: act), EnterCare(token: "0-1-0-"),
        ListToldOccurrences(of: person, by: Alert.ID(rawValue: 1)), ListCalendarFeeds(of: person),
        FindOwnPage(of: person, at: nil), WithdrawPage(of: hardwareID), ListPlans(), FindPlan(plan),
        ListPlanPlaces(of: plan), ReadPlanPicture(of: plan), ExportPlans(of: person), RenamePlan(plan, "Hall"),
        SetPlanPicture(of: plan, nil), PlaceTanks(on: plan, []), RemovePlan(plan),
        RemoveCalendarFeed(of: person, 1), EnterFeed(hash: hash), ListTankNames(),
        ExportReminders(of: person, after: nil, limit: 1),
    ]

    private static let stretch = WatchStretch(
        WatchKey(device: device, parameter: .ph, account: person), in: claimedAt..<claimedAt + .seconds(60))

    private static let exportStatements: [any Statement] = [
        NameRequest(id: "r", network: "192.0.2.1/32", client: "Safari"), NoteRefusal(route: "x", problem: "forbidden"),
        NoteFailedSignIn(email: "a@example.org", client: "Safari"), NoteExport(),
        PageAudit(before: nil, PageAudit.Filter(), limit: 1), ExportAudit(of: person, after: nil, limit: 1),
        ListOwnedDevices(of: person), ExportAccount(person), ExportDevices(of: person, after: 0, limit: 1),
        ExportSettings(of: person, 1, after: nil, limit: 1), ListAccountEvents(of: person, before: nil, limit: 1),
        ListMadeInSession(SessionID(rawValue: 1), of: person),
        ExportEpisodes(of: device, person, after: nil, limit: 1), ExportAlerts(of: person, after: nil, limit: 1),
        ExportReadings(of: device, after: nil, limit: 1), ExportHours(of: device, after: nil, limit: 1),
    ]

    private static let endpoint = Endpoint.ID(rawValue: 1)

    private static let endpointStatements: [any Statement] = [
        ListEndpoints(of: person), CheckEndpoints(of: person, beside: "https://example.org/", on: .webhook),
        LockPersonEndpoint(endpoint, of: person), RemovePersonEndpoint(endpoint, of: person),
        CountEndpointDeliveries(RecentDeliveries(to: endpoint, of: person, until: claimedAt)),
        ListUntakenAlerts(RecentDeliveries(to: endpoint, of: person, until: claimedAt)),
        FindSendableAgain(RecentDeliveries(to: endpoint, of: person, until: claimedAt)),
        RotateEndpointSecret(endpoint: endpoint, secret: [], former: [], overlap: .seconds(1)),
        FindClientOfSession(SessionID(rawValue: 1), of: person), ReadVAPIDKeys(),
        ReadAppChannels(), FindInstalled([.apns, .fcm], of: person, from: ClientID(rawValue: 7)),
        ReadEndpointForm(endpoint, of: person),
        SetEndpointForm(endpoint, of: person, to: .standard), FindExampleWatch(of: person),
    ]

    private static let alertStatements: [any Statement] = [
        PageAlerts(of: person, below: .newest, .init(), limit: 10), ReadAlert(Alert.UID(rawValue: 1), of: person),
        ReadNumberedAlert(AlertKey(slot: Slot.all[1], alert: Alert.ID(rawValue: 1)), of: person),
        ReadTransitions(of: Episode.ID(rawValue: 1), in: Slot.all[1]),
        ReadAttempts(of: AlertKey(slot: Slot.all[1], alert: Alert.ID(rawValue: 1))),
        ListSnoozes(of: person), FindOpenEpisode(snoozed), EndSnooze(snoozed), TakeLiveTicket(),
        FollowSlots(1, SlotSet(), lasting: .seconds(1)), Unfollow(1), FindFollowedDevices(of: []),
        FindSetupVersions(of: []), FindLiveAlerts(of: [], since: claimedAt), FindLiveDevices([]),
        FindLiveSamples([], for: []), ReplaySamples(since: claimedAt, limit: 1), FindLivingSessions([]),
        FindLivingTokens([]), LatestReadings(),
    ]

    private static let snoozed = SnoozeKey(
        device: device, account: person, kind: .range, parameter: .ph, side: .high)

    // MARK: Statements that need more than rights

    /// Statements that need a row or a named person to succeed; here they are only run to check rights.
    static func others(_ role: TestDatabase.Role, _ service: PostgresConnection) async throws -> [any Statement] {
        switch role {
        case .ingestor:
            let hour = try await service.execute(AnyHour())[0]
            let day = try await service.execute(AnyDay())[0]
            return [
                RecordRejects([.init(receivedAt: claimedAt, topic: "t", reason: "r", detail: "d", payload: [])]),
                AdvanceRollUps(hour), EndDueDay(day), EvictHolder(1, on: 1), FindOwnerChanges(day),
                FindSampleRetention(),
                MakePartitionsOfDays([]), MarkDaysDue(hour, devices: [], days: []), PostponeDueDay(day),
                ReadWindowHours(day), ReadWindowSamples(day, ParameterSet(.ph), after: nil, limit: 1),
                RollUpDay(hour, devices: []),
                RollUpHour(hour, devices: []), TakeDueDevices(hour),
                WriteDayFlags(DayFlags(of: day.start), of: day.device, ParameterSet(.ph)),
                WriteHourFlags(DayFlags(of: day.start), of: day.device, ParameterSet(.ph)),
                FindLimitsInQuestion(hour, devices: []), ReadHourWithBefore(claimedAt, of: device, ParameterSet(.ph)),
                WriteTimeOutside([], in: hour, devices: []), MarkNextHourDue(after: hour, devices: []),
            ]
        case .rules:
            let look = FlatLineLook(slot: device.slot, until: claimedAt, device: device.device)
            return [
                FindUnchanged(look, devices: []), ListDevicesToLookAt(look, limit: 1),
                SetFlatLineLook(look, reached: nil),
            ]
        case .gateway: return gatewayOthers
        case .enroller, .notifier, .owner, .superuser: return []
        }
    }

    private static let operationStatements: [any Statement] = [
        Operates(in: SessionID(rawValue: 1)),
        TakeProvidersWord(session: SessionID(rawValue: 1), identity: identity, isOperator: true),
        ReadOperationFigures(), ReadOperationTallies(), ReadOperationFindings(),
        ListOperatedAccounts(OperationPage(begins: "", after: "", limit: 1)),
        ListOperatedDevices(OperationPage(begins: "", after: "", limit: 1)),
        PageOperationChanges(before: nil, filter: PageAudit.Filter(), account: nil, limit: 1),
        EndSessionsAsOperator(email: "a@example.org"),
    ]

    private static let gatewayOthers: [any Statement] = [
        asked,
        AddJournalEntry(entry, in: tank, by: person, JournalContent(kind: .note, at: claimedAt)),
        AddPhoto(photo, by: person, picture), AddInventoryItem(item.id, to: .livestock, of: tank.key, item.content),
        AddCalibration(calibration.id, of: .ph, in: tank, calibration.content),
        AddReminder(tank: tank, id: reminder.reminder, account: person, content: content, now: claimedAt),
        AddTold(key: reminder, account: person), AddAct(key: reminder, tank: 1, id: act, act: done, account: person),
        AddCalendarFeed(of: person, hash: hash, name: "Tanks", tank: nil, alarms: false),
        EnterPublicPage(hash: hash), MakePlan("Hall", of: nil),
        FindPair(of: device), PairDevices(hardwareID, with: hardwareID), PartDevices(of: hardwareID),
        FindStation(of: device), LetStationGo(of: hardwareID),
        SetStation(.usgs("01646500"), at: "api.waterdata.usgs.gov", StationChoice(), of: hardwareID),
        PublishPage(
            isOfMany: false,
            page: PageWish(
                title: "Pond", parameters: ParameterSet(.ph), days: 7, showsState: true, renewsAddress: false,
                tanks: [OwnPage.Tank(device: hardwareID, title: "Pond")]),
            tokenHash: hash, sealedToken: SealedSecret(stored: [1])),
        AddPersonalToken(
            of: person, hash: hash, name: "CI", scope: .read, lastFour: "abcd", expiresAt: nil, most: 1),
        AddEndpoint(endpoint: endpoint, account: person, channel: .webhook, target: "https://a/", sealedSecret: [1]),
        AddTestAlert(account: person, uid: Alert.UID(rawValue: 1)),
        SendAgain([AlertKey(slot: Slot.all[1], alert: Alert.ID(rawValue: 1))], to: endpoint, of: person, most: 1),
        AddInstalled(
            endpoint: endpoint, account: person, channel: .webPush, target: "https://a/", sealedSecret: [1],
            fingerprint: hash, vapidKey: "0", client: ClientID(rawValue: 1)),
        ClaimDevice(hashes: [hash], account: person, name: "Pond"),
        ClaimIdempotencyKey(person, key: "k", fingerprint: hash), CloseAccount(person), EndSessions(of: person, .all),
        EndWatching(device: device, account: person), FindOldestSample(in: device.slot),
        FindReadableDevice(hardwareID), FindTimeZone("UTC"), FindUnits(of: device, for: person),
        HoldSession(SessionID(rawValue: 1), of: person), JoinDevice(tokenHash: hash, account: person),
        ListSamples(of: device, in: period), ListTrack(of: device, in: period),
        ListTrackReadings(of: device, in: period), HasTrack(of: device, in: period),
        ReadTrack(of: device, in: period, with: .ph, most: 1), ForgetTrack(of: device),
        ExportPositions(of: device, after: nil, limit: 1),
        NumberEndpoint(channel: .webhook, target: "https://a/", account: person),
        NumberInstalled(
            channel: .webPush, target: "https://a/", fingerprint: hash, client: ClientID(rawValue: 1), account: person),
        RehashPassword(person, checkedHash: "a", nextHash: "b"),
        ReplacePassword(person, checkedHash: "a", nextHash: "b", keeping: nil),
        UnlinkDevice(
            device: device, account: person, claimCode: StoredClaimCode(hash: hash, keyID: SchemaFixture.keyID)),
        AddSetting(
            WatchKey(device: device, parameter: .ph, account: person),
            ReadSetting.Row(version: 1, unit: "pH", minimum: nil, maximum: nil, colour: "red", position: 1)),
        ForgetSnoozes(snoozed), AddSnooze(snoozed, acknowledging: nil, at: claimedAt, until: claimedAt + .seconds(60)),
        FindPersonDueDays(device: device, period: period), FindPersonDueHours(device: device, period: period),
        ListLimits(WatchKey(device: device, parameter: .ph, account: person), in: period),
        ReadLimitTurns(of: [], in: period), ReadSeriesDays(series),
        ReadSeriesHours(series), ReadSeriesSamples(series), ReadSeriesBefore(series), FindPersonDevice(hardwareID),
        ReadTimeOutside(WatchKey(device: device, parameter: .ph, account: person), in: period),
        ProveSession(person, SessionID(rawValue: 1), checkedHash: "a"), HasPassword(person),
        LinkIdentity(account: person, identity: identity),
        UnlinkIdentity(
            account: person, identity: IdentityID(rawValue: 1), issuer: "https://id.example", takesPasswords: true),
        ProveSessionByIdentity(
            account: person, session: SessionID(rawValue: 1), identity: identity, authenticatedAt: claimedAt),
        UndoSession(SessionID(rawValue: 1), of: person),
    ]

    private static let period = claimedAt..<claimedAt + .seconds(60)
    private static let series = SeriesSource(device: device, parameter: .ph, period: period)

    private struct AnyHour: Statement {
        static let sql = "SELECT 0::smallint, now(), true"
        static func decode(_ row: inout RowReader) throws -> ClaimedHour { try ClaimedHour(&row) }
    }

    private struct AnyDay: Statement {
        static let sql = "SELECT 0::smallint, 1, now(), false, false"
        static func decode(_ row: inout RowReader) throws -> DueDay { try DueDay(&row) }
    }
}
