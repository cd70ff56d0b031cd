import Postgres
import Store

/// Answers every alarm of a device's owner that goes on with it, or begins or finishes work on its water, as its button was pressed.
struct PressButton: Statement {
    static let sql = """
        SELECT CASE WHEN $5::boolean THEN press_for_work($1, $2, $3, $4) ELSE press_button($1, $2, $3, $4) END
        """

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
        let (word, isWork) = press.said
        parameters.append(word)
        parameters.append(isWork)
    }

    static func decode(_ row: inout RowReader) throws -> ButtonPress.Outcome { try row.read() }
}
