import HTTPTypes
import Postgres
import Routes
import Store
import WaterQuality

/// Routes of the journal: what people did for the water, in one list.
enum JournalRoutes {
    static let tag = API<Caller>.Tag(
        "Journal", "What people did for a tank and saw in it. Whoever shares the device reads and writes it.")
    static let all =
        [put] + [list, listOfDevice, remove, JournalTable.export].forProjects() + PhotoRoutes.all + InventoryRoutes.all
        + FormerTankRoutes.all

    // MARK: Reading

    private static let before = JournalInputs.before("listJournal")
    private static let beforeOfDevice = JournalInputs.before("listDeviceJournal")

    private static let list = Route<Caller>(
        .get, "/journal", id: "listJournal", tag: tag.name, access: .read,
        "List the journal of all tanks, newest first",
        text:
            "Entries, tests by hand, work on the water, reminders done and probes calibrated. Also of tanks that the person owned before. The filters of the first page have to be given again with each cursor.",
        inputs: [JournalInputs.device, JournalInputs.kinds, JournalInputs.limit, before],
        answers: .json(.ok, .page(of: JournalItem.output))
    ) { caller, inputs in
        let filter = PageJournal.Filter(device: inputs[JournalInputs.device], kinds: inputs[JournalInputs.kinds] ?? [])
        return try await caller.scope.transaction { transaction, _ in
            .value(
                try transaction.journal(filter, below: inputs[before], inputs[JournalInputs.limit], of: "listJournal"))
        }
    }

    private static let listOfDevice = Route<Caller>(
        .get, "/devices/{device}/journal", id: "listDeviceJournal", tag: tag.name, access: .read,
        "List the journal of a device's tank, newest first",
        text: "Since its owner linked it. The filter of the first page has to be given again with each cursor.",
        inputs: [DeviceInputs.device, JournalInputs.kinds, JournalInputs.limit, beforeOfDevice],
        answers: .json(.ok, .page(of: JournalItem.output)), problems: [.notFound]
    ) { caller, inputs in
        let (id, kinds) = (inputs[DeviceInputs.device], inputs[JournalInputs.kinds] ?? [])
        return try await caller.scope.transaction { transaction, _ in
            let tank = try transaction.tank(of: id)
            let filter = PageJournal.Filter(device: id, tank: tank.key.tank, kinds: kinds)
            return .value(
                try transaction.journal(
                    filter, below: inputs[beforeOfDevice], inputs[JournalInputs.limit], of: "listDeviceJournal"))
        }
    }

    // MARK: Writing

    private static let put = Route<Caller>(
        .put, "/devices/{device}/journal/{entry}", id: "putJournalEntry", tag: tag.name, access: .write,
        "Write an entry, or change it",
        text: """
            The client chooses the id. Without If-Match the entry is made; the same again changes nothing and is answered alike. With \
            If-Match it is changed, by whoever wrote it or by the owner; who wrote it stays. Another content without If-Match, or of \
            another version, is 412. A fish that died lowers no count in the inventory.
            """,
        inputs: [DeviceInputs.device, JournalInputs.entry, Input<EntityTagCondition?>.ifMatchOfChange]
            + JournalInputs.content,
        answers: .json(.created, JournalItem.output, alternatives: [.ok], headers: [.eTag]),
        problems: [.notFound, .ownerOnly]
    ) { caller, inputs in
        let (device, entry) = (inputs[DeviceInputs.device], inputs[JournalInputs.entry])
        let condition = inputs[Input<EntityTagCondition?>.ifMatchOfChange]
        return try await caller.scope.transaction { transaction, account in
            let tank = try transaction.tank(of: device)
            var found = try transaction.execute(FindJournalEntry(entry, in: tank.key)).first
            if let found { try tank.requireRight(isTheirs: found.by?.isMe == true) }
            let content = try JournalInputs.read(inputs, now: try transaction.execute(ReadClock())[0])
            if found == nil, condition == nil {
                if try transaction.execute(AddJournalEntry(entry, in: tank, by: account, content)).first == true {
                    return try transaction.journalEntry(entry, in: tank).answer(.created)
                }
                // The entry has come by another request in between, or is somebody else's.
                found = try transaction.journalEntry(entry, in: tank)
            }
            let choice = try ClientChoice(condition, current: found?.tag, isSame: found?.content == content)
            guard let found, choice != .create else { throw Problem(.notFound) }
            if choice == .change {
                let change = ChangeJournalEntry(entry, in: tank.key, to: content, from: found.version)
                guard try transaction.execute(change).first == true else { throw Problem(.preconditionFailed) }
            }
            return try transaction.journalEntry(entry, in: tank).answer(.ok)
        }
    }

    private static let remove = Route<Caller>(
        .delete, "/devices/{device}/journal/{entry}", id: "removeJournalEntry", tag: tag.name, access: .write,
        "Remove an entry with its photos", text: "One's own; the owner removes those of others, too.",
        inputs: [DeviceInputs.device, JournalInputs.entry], answers: .nothing, problems: [.notFound, .ownerOnly]
    ) { caller, inputs in
        let (device, entry) = (inputs[DeviceInputs.device], inputs[JournalInputs.entry])
        return try await caller.scope.transaction { transaction, _ in
            let tank = try transaction.tank(of: device)
            let found = try transaction.journalEntry(entry, in: tank)
            try tank.requireRight(isTheirs: found.by?.isMe == true)
            _ = try transaction.perform(RemoveFromTank(JournalEntryRow.self, entry, in: tank.key))
            return .nothing
        }
    }
}

extension PostgresTransaction {
    fileprivate func journal(
        _ filter: PageJournal.Filter, below cursor: JournalCursor?, _ limit: Int, of list: String
    ) throws -> Page<JournalItem> {
        let rows = try execute(PageJournal(below: cursor?.place ?? .newest, filter, limit: limit + 1))
        return Page(rows, limit: limit, of: list, key: { JournalCursor($0) })
    }

    /// An entry that people wrote, as the person sees it.
    /// - Throws: `Problem(.notFound)`.
    func journalEntry(_ entry: JournalEntryID, in tank: Tank) throws -> JournalItem {
        guard let found = try execute(FindJournalEntry(entry, in: tank.key)).first else { throw Problem(.notFound) }
        return found
    }
}

extension JournalItem {
    fileprivate func answer(_ status: HTTPResponse.Status) -> Answer<JournalItem> {
        .value(self, status: status, headers: [.eTag: tag.description])
    }
}
