import Postgres
import Store

/// Answers every alarm of a device's owner that goes on with it, as its button was pressed.
struct PressButton: Statement {
    static let sql = "SELECT press_button($1, $2, $3, $4)"

    let press: ButtonPress
    let device: DeviceKey

    init(_ press: ButtonPress, of device: DeviceKey) {
        self.press = press
        self.device = device
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(press.id)
        parameters.append(press.answer.rawValue)
    }

    static func decode(_ row: inout RowReader) throws -> ButtonPress.Outcome { try row.read() }
}
