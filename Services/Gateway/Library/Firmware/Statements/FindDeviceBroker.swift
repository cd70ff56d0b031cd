import Postgres
import WaterQuality

/// The broker by the name under which devices reach it, as the enroller says; no row before one was heard.
struct FindDeviceBroker: Statement {
    static let sql = "SELECT host, port, authority FROM enroller_state"

    struct Row: Sendable {
        /// `{slot}` in it stands for the number of the device's slot.
        var host: String
        var port: Int32
        /// PEM; `nil`: devices know the authority.
        var authority: String?

        func address(for slot: Slot) -> DeviceBroker {
            let parts = host.split(separator: "{slot}", omittingEmptySubsequences: false)
            return DeviceBroker(
                host: parts.joined(separator: "\(slot.rawValue)"),
                port: UInt16(exactly: port) ?? DeviceBroker.defaultPort)
        }

        /// The addresses of all slots, without repetitions.
        var addresses: [DeviceBroker] {
            var seen = Set<DeviceBroker>()
            return Slot.all.map(address).filter { seen.insert($0).inserted }
        }
    }

    func bind(_: inout Parameters) {}

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(host: row.read(), port: row.read(), authority: row.read())
    }
}
