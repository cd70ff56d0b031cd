import Instants
import Postgres
import TestSupport
import WaterQuality

@testable import Gateway
@testable import Store

/// Statements of the Gateway about tanks: journal, tests by hand, calibrations, corrections, and projects, which own them.
extension ServiceStatements {
    static let tank = Tank(
        key: TankKey(slot: device.slot, tank: 1), device: device.device, hardwareID: hardwareID, isOwners: true)
    static let entry = JournalEntryID(rawValue: 1)
    static let photo = PhotoKey(tank: tank.key, subject: .entry(entry), photo: JournalPhotoID(rawValue: 1))

    static let plan = SitePlanID(rawValue: 1)

    static let mapStatements: [any Statement] = [
        ListZones(), FindZone(zone), MakeZone(outlined, of: nil),
        ChangeZone(zone, to: outlined), RemoveZone(zone), ExportZones(of: person),
    ]

    private static let zone = ZoneID(rawValue: 1)
    private static let outlined = Zone.Content(
        name: "River", outline: ZoneOutline(stored: [0, 0, 0, 1_000, 1_000, 0]), isFavourite: true)
    static func changes(hours: Int) -> ReadChanges {
        let week = Duration.seconds(7 * 86_400)
        guard let windows = try? ChangeWindows(from: claimedAt - week, to: claimedAt, hours: hours) else {
            preconditionFailure("some hours, and those a week before")
        }
        return ReadChanges(parameter: .ph, windows: windows, area: .world)
    }

    static let journalStatements: [any Statement] = [
        FindTank(of: hardwareID), PageJournal(below: .newest, .init(), limit: 1),
        FindJournalEntry(entry, in: tank.key),
        ChangeJournalEntry(entry, in: tank.key, to: JournalContent(kind: .note, at: claimedAt), from: 1),
        RemoveFromTank(JournalEntryRow.self, entry, in: tank.key), FindPhoto(photo), ReadPhoto(photo),
        RemovePhoto(photo),
        SetSmallPhoto(photo, picture), ListInventory(of: tank.key),
        RemoveFromTank(InventoryItemRow.self, item.id, in: tank.key),
        ChangeInventoryItem(item, in: tank.key, to: item.content), ExportInventory(after: nil, limit: 1),
        ExportPhotos(after: nil, limit: 1), ExportFormerTanks(after: nil, limit: 1),
        ReadNextFormerPhoto(after: JournalPhotoID(rawValue: 0)), PageFormerWords(below: .newest, limit: 1),
        ReadFormerPhoto(photo: JournalPhotoID(rawValue: 1)),
        RemoveFormerWords(source: .entry, id: JournalEntryID(rawValue: 1)),
    ]

    static let item = InventoryItem(
        id: InventoryItemID(rawValue: 1), list: .livestock, content: InventoryContent(name: "Neon", count: 1),
        version: 1,
        isMine: true)
    /// The smallest WebP: one pixel.
    static let picture: CleanImage = {
        let bytes: [UInt8] =
            Array("RIFF".utf8) + [18, 0, 0, 0] + Array("WEBPVP8L".utf8) + [5, 0, 0, 0, 0x2F, 0, 0, 0, 0, 0]
        guard let image = try? CleanImage(bytes) else { preconditionFailure("a picture of one pixel") }
        return image
    }()

    static let handStatements: [any Statement] = [
        ReadHandTest(HandTestID(rawValue: 1), of: device), PageHandTests(of: device, below: .newest, limit: 1),
        PutHandTest(
            id: HandTestID(rawValue: 1), device: device, version: nil,
            content: HandTestContent(at: claimedAt, kit: nil, note: nil, values: [])),
        DeleteHandTest(id: HandTestID(rawValue: 1), device: device), ReadLastHandValues(of: device),
        ListHandValues(.ph, of: device, in: claimedAt..<claimedAt + .seconds(60), limit: 1),
        ReadNextDue(of: .test, on: device),
        ExportNotes<HandTestNote>(of: person, after: nil, limit: 1),
        ReadTankAnswers(of: tank.key), PutTankAnswers(device: device, version: nil, answers: TankAnswers()),
        ExportTankAnswers(of: person, after: nil, limit: 1),
    ]

    static let fieldStatements: [any Statement] = [
        ListFieldProtocols(of: nil), FindFieldProtocol("pond", version: nil, of: device),
        PutFieldProtocol(
            FieldProtocol(
                id: "pond", version: 1, name: .own("Pond"), help: nil, stations: 0, hasDepths: false, fields: []),
            from: nil),
        FindFieldSample(sample), PageFieldSamples(below: .newest, limit: 1), ListFieldVersions(of: sample),
        PutFieldSample(
            id: sample, device: device, version: nil,
            sample: FieldSample(protocolID: "river-quick", protocolVersion: 1, begunAt: claimedAt), clockOffset: nil,
            values: []),
        WithdrawFieldSample(sample, version: 1),
        ReviewFieldSample(id: sample, version: 1, verdict: .approved, note: nil),
        ExportFieldVersions(of: person, after: nil, limit: 1), ExportFieldProtocols(after: nil, limit: 1),
        ListReceivers(of: device), ListSenders(), ReceiveFrom(device: device, tokenHash: nil, project: person),
        EndReceiving(SendingID(rawValue: 1)), PageReceivedSamples(after: 0, limit: 1),
        PageNewestReceived(before: 0, limit: 1), FindReceivedSample(sample), ListDevicePoints(of: [device]),
        ExportReceivers(after: nil, limit: 1),
    ]

    private static let sample = FieldSampleID(rawValue: 1)

    static let calibrationStatements: [any Statement] = [
        ListCalibrations(of: .ph, on: device, limit: 1), FindCalibratedParameters(on: device),
        FindCalibration(calibration.id, in: tank.key),
        ChangeCalibration(calibration, in: tank.key, to: calibration.content),
        RemoveFromTank(CalibrationNote.self, calibration.id, in: tank.key),
        ListHandChecks(of: .ph, on: device, limit: 1),
        ExportNotes<CalibrationNote>(of: person, after: nil, limit: 1),
    ]

    static let correctionStatements: [any Statement] = [
        PageDeletions(on: device, limit: 1), PageApprovals(on: device, limit: 1),
        FindApproval(ApprovalID(rawValue: 1), in: tank.key),
        DeleteReadings(
            device: device, period: claimedAt..<claimedAt + .seconds(60), parameters: ParameterSet(.ph), seen: nil,
            reason: nil),
        ApprovePeriod(
            device: device, period: claimedAt..<claimedAt + .seconds(3_600), note: nil),
        WithdrawApproval(device: device, id: ApprovalID(rawValue: 1), reason: nil),
        PageMessages(of: device, in: claimedAt..<claimedAt + .seconds(60), MessageFilter(), lag: .zero, limit: 1),
        CountCoveredHours(of: device, in: claimedAt..<claimedAt + .seconds(3_600)),
        ExportNotes<DeletionNote>(of: person, after: nil, limit: 1),
        ExportNotes<ApprovalNote>(of: person, after: nil, limit: 1),
    ]

    static let projectStatements: [any Statement] = [
        ListProjects(), FindProject(person), CreateProject("Koi Farm"),
        RenameProject(project: person, name: "Koi Farm"),
        ActForProject(person), IsProject(person), DissolveProject(person), MoveDevice(device: device, project: person),
        OnlyLooks(at: nil), ListMembers(of: person),
        ChangeMember(project: person, member: 1, role: .keeper, changesEnd: false, until: nil),
        EndMembership(project: person, member: 1),
        InviteToProject(project: person, tokenHash: hash, role: .keeper, until: nil, lifetime: .seconds(60)),
        ListProjectInvitations(to: person),
        RevokeProjectInvitation(project: person, invitation: ProjectInvitationID(rawValue: 1)),
        LookAtProjectInvitation(tokenHash: hash), JoinProject(tokenHash: hash),
        LockOwnSettings(account: person, parameter: .ph),
        EndSettings(account: person, parameter: .ph, devices: [device]),
        AddLimits(
            account: person, parameter: .ph,
            settings: [LockOwnSettings.Row(device: device, hardwareID: "tank-1", setting: setting)]),
        FollowProject(device: device, parameter: .ph),
        ListOwnPresets(id: nil), DropPreset(id: OwnPresetID(rawValue: 1)), FindPersonDevices([hardwareID]),
        PutPreset(id: nil, version: nil, name: "Winter", limits: LimitsDocument(.reef)),
        TakeLimits(LimitsDocument(.reef), on: [device], of: person),
        ReadRota(of: person), ListShifts(of: person), ListCovers(of: person), ListTurns(of: person),
        SetShifts(project: person, version: 0, timeZone: "UTC", shifts: []),
        CoverShift(project: person, shift: ShiftID(rawValue: 1), day: CivilDay(number: 20_000), from: 1, member: 2),
        TellAlways(project: person, isAlways: true),
        ListToldOnShift(of: AlertKey(slot: Slot.all[0], alert: Alert.ID(rawValue: 1))),
    ]

    private static let setting = ReadSetting.Row(
        version: 1, unit: "pH", minimum: nil, maximum: nil, colour: "red", position: 1)

    static let calibration = CalibrationEntry(
        id: CalibrationID(rawValue: 1), parameter: .ph, version: 1,
        content: CalibrationContent(
            kind: .check, at: claimedAt, unit: .ph, points: [CalibrationPoint(standard: 7, before: 7.1)]))
}
