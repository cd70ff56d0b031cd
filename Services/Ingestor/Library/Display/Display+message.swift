import Instants
import Routes
import WaterQuality

extension Display {
    /// The most bytes of a message, for which firmware has room.
    static let mostBytes = 1_024
    private static let version: Int64 = 1

    /// The message for the device: JSON in at most `mostBytes`. Where not all have room, the least bad is left out first,
    /// from the end, and the temperature last, which the device can judge by itself; `more` counts what was.
    var payload: [UInt8] {
        var items = items
        while true {
            let bytes = document(items).bytes
            if bytes.count <= Self.mostBytes || items.isEmpty { return bytes }
            items.remove(at: Self.leastNeeded(of: items))
        }
    }

    private static func leastNeeded(of items: [Item]) -> Int {
        let others = items.indices.filter { items[$0].parameter != .temperature }
        return others.reversed().min { items[$0].state < items[$1].state } ?? items.startIndex
    }

    private func document(_ shown: [Item]) -> JSON {
        let newest = shown.compactMap(\.measured?.at).max()
        var members: [JSON.Member] = [
            .init("v", .integer(Self.version)), .init("name", .string(name)),
            .init("offset", .integer(Int64(utcOffset))), .init("state", .string(state.rawValue)),
        ]
        if let newest { members.append(.init("at", seconds(newest))) }
        if let onIt {
            let until = JSON.integer(onIt.until.microseconds / 1_000_000)
            members.append(.init("onIt", .object([.init("name", .string(onIt.name)), .init("until", until)])))
        }
        if let work {
            let until = JSON.integer(work.until.microseconds / 1_000_000)
            members.append(
                .init("work", .object([.init("kind", .string(work.kind.rawValue)), .init("until", until)])))
        }
        members.append(.init("values", .object(shown.map { .init($0.parameter.name, value($0, newest)) })))
        if shown.count < items.count { members.append(.init("more", .integer(Int64(items.count - shown.count)))) }
        return .object(members)
    }

    /// - Parameter newest: The time of the message, which a value as new as that does not repeat.
    private func value(_ item: Item, _ newest: Timestamp?) -> JSON {
        let range = item.range
        var members: [JSON.Member] = []
        if let shown = item.shown { members.append(.init("value", Self.number(shown))) }
        if let at = item.measured?.at, at != newest { members.append(.init("at", seconds(at))) }
        if !range.unit.symbol.isEmpty { members.append(.init("unit", .string(range.unit.symbol))) }
        members.append(.init("digits", .integer(Int64(range.scale.decimals))))
        let limits = [range.criticalMinimum, range.minimum, range.maximum, range.criticalMaximum]
        if limits.contains(where: { $0 != nil }) {
            members.append(
                .init("limits", .array(limits.map { $0.map { Self.number(range.shown($0)) } ?? .null })))
        }
        members.append(.init("state", .string(item.state.rawValue)))
        return .object(members)
    }

    /// A number without a fraction where it has none.
    private static func number(_ value: Double) -> JSON { Int64(exactly: value).map(JSON.integer) ?? .number(value) }

    private func seconds(_ time: Timestamp) -> JSON { .integer((time + lag).microseconds / 1_000_000) }
}
