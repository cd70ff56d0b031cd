package import WaterQuality

/// Devices that somebody wants to enrol, as a table (CSV) lists them, and everything that is wrong with it.
package struct EnrolmentList: Sendable {
    /// A device of the list.
    package struct Entry: Hashable, Sendable {
        /// The line of the text on which it begins, from 1.
        package let line: Int
        package let id: Device.HardwareID
        package let name: DeviceName?
        package let firmware: Firmware?
        /// As it is stored: the name of one that comes with the service, or the id of one's own.
        package let preset: String?
    }

    package enum Column: String, CaseIterable, Sendable {
        case id = "hardware_id"
        case name, firmware, preset
    }

    package struct Fault: Hashable, Sendable {
        package let line: Int
        /// `nil`: it is about the whole line.
        package let column: Column?
        package let kind: Kind
        /// The text that stood there, cut short; of an id that comes twice its first line.
        package let detail: String?

        package enum Kind: String, CaseIterable, Sendable {
            /// No device is listed.
            case empty
            /// A column that the list does not have.
            case columns
            case columnMissing = "column-missing"
            case columnTwice = "column-twice"
            /// Another number of cells than the header has.
            case cells
            /// A quotation mark that is not closed, or with text behind it.
            case quote
            case idMissing = "id-missing"
            /// Other characters or more of them than an id has, or the beginning of a service's name.
            case id
            case idTwice = "id-twice"
            case name, firmware, preset
            /// More lines than are read; those behind are not looked at.
            case tooMany = "too-many"
        }
    }

    /// The devices whose lines have no fault, in the order of the text.
    package private(set) var entries: [Entry] = []
    package private(set) var faults: [Fault] = []

    /// The beginning of services' names at the broker, which no device has.
    package static let reservedPrefix = "aqua_"

    /// Reads `hardware_id,name,firmware,preset` in any order, of which the id alone is needed; with commas, semicolons or tabs, quotation
    /// marks as RFC 4180 has them, any line ends, and a byte order mark or none. Lines without any text are left out.
    /// - Parameters:
    ///   - text: In UTF-8.
    ///   - most: The most devices.
    ///   - presets: What is stored for the name of a preset; `nil`: there is none of this name.
    package init(
        _ text: [UInt8], most: Int, presets: (String) -> String? = { Preset(rawValue: $0)?.rawValue }
    ) {
        var rest = [text]
        var form = CSVForm(of: text, columns: [Column.id.rawValue], separator: nil, skippedLines: 0)
        form.headerIsKnown = true
        var reader = CSVReader(form) { rest.popLast() ?? [] }
        // Reading from memory throws nothing.
        guard let header = (try? reader.next()) ?? nil, let columns = columns(of: header) else {
            if faults.isEmpty { add(.empty, at: 1) }
            return
        }
        var seen: [Device.HardwareID: Int] = [:]
        while let record = (try? reader.next()) ?? nil {
            guard record.fault != nil || record.fields.contains(where: { !$0.isEmpty }) else { continue }
            guard seen.count < most, faults.count < Self.mostFaults else {
                add(.tooMany, at: record.line)
                return
            }
            read(record, columns, presets, &seen)
        }
        if entries.isEmpty, faults.isEmpty { add(.empty, at: header.line) }
    }

    /// Faults beyond these are not looked for: the text is no such list.
    private static let mostFaults = 1_000
    private static let longestDetail = 64

    private mutating func columns(of header: CSVRecord) -> [Column]? {
        guard header.fault == nil else {
            add(.quote, at: header.line)
            return nil
        }
        var columns: [Column] = []
        for field in header.fields.prefix(Self.mostFaults) {
            guard let column = Column(rawValue: field.lowercased()) else {
                add(.columns, at: header.line, detail: field)
                continue
            }
            if columns.contains(column) { add(.columnTwice, at: header.line, column) }
            columns.append(column)
        }
        if !columns.contains(.id) { add(.columnMissing, at: header.line, .id) }
        return faults.isEmpty ? columns : nil
    }

    private mutating func read(
        _ record: CSVRecord, _ columns: [Column], _ presets: (String) -> String?,
        _ seen: inout [Device.HardwareID: Int]
    ) {
        guard record.fault == nil else { return add(.quote, at: record.line) }
        guard record.count == columns.count else { return add(.cells, at: record.line) }
        let before = faults.count
        func cell(_ column: Column) -> String? {
            columns.firstIndex(of: column).map { record[$0] }.flatMap { $0.isEmpty ? nil : $0 }
        }
        let id = id(cell(.id), record.line, &seen)
        let name = value(of: .name, cell(.name), record.line, or: .name, DeviceName.init)
        let firmware = value(of: .firmware, cell(.firmware), record.line, or: .firmware, Firmware.init(rawValue:))
        let preset = value(of: .preset, cell(.preset), record.line, or: .preset, presets)
        guard let id, faults.count == before else { return }
        entries.append(Entry(line: record.line, id: id, name: name, firmware: firmware, preset: preset))
    }

    private mutating func id(
        _ text: String?, _ line: Int, _ seen: inout [Device.HardwareID: Int]
    ) -> Device.HardwareID? {
        guard let text else {
            add(.idMissing, at: line, .id)
            return nil
        }
        guard let id = Device.HardwareID(text), !text.hasPrefix(Self.reservedPrefix) else {
            add(.id, at: line, .id, detail: text)
            return nil
        }
        if let first = seen[id] { add(.idTwice, at: line, .id, detail: "\(first)") } else { seen[id] = line }
        return id
    }

    private mutating func value<Value>(
        of column: Column, _ text: String?, _ line: Int, or kind: Fault.Kind, _ read: (String) -> Value?
    ) -> Value? {
        guard let text else { return nil }
        let value = read(text)
        if value == nil { add(kind, at: line, column, detail: text) }
        return value
    }

    private mutating func add(_ kind: Fault.Kind, at line: Int, _ column: Column? = nil, detail: String? = nil) {
        let cut = detail.map { String(String.UnicodeScalarView($0.unicodeScalars.prefix(Self.longestDetail))) }
        faults.append(Fault(line: line, column: column, kind: kind, detail: cut))
    }
}
