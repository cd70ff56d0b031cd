import Routes
import Store
import WaterQuality

/// A page as its owner wishes it.
struct PageWish: Sendable {
    var title: String
    var parameters: ParameterSet
    var days: Int16
    var showsState: Bool
    var renewsAddress: Bool
    var tanks: [OwnPage.Tank] = []
}

/// Inputs of the pages of devices and of projects.
enum PageInputs {
    private static let title = Input.field(
        "title", Format<String>.pageTitle,
        "What readers see: own words, since no name of the device or the person is shown.")
    private static let parameters = Input.field(
        "parameters",
        Format<[Parameter.Name]>.list(of: .choice(Parameter.Name.self), count: 1...Parameter.allCases.count),
        "The parameters that are shown, each once.")
    private static let days = Input.field("days", .integer(1...30).example(7), "The days of the graphs: 1, 7 or 30.")
    private static let limits = Input.field(
        "limits", .boolean, default: false,
        "Whether it shows if a value is within your limits; never the limits themselves.")
    private static let newAddress = Input.field(
        "newAddress", .boolean, default: false,
        "Whether it moves to another address, so that the former shows nothing any more.")
    private static let tanks = Input.field(
        "tanks", Format<[OwnPage.Tank]>.list(of: .pageTank, count: 1...20),
        "The devices of the project that are shown, each once, with what readers see of it.")

    static let ofDevice: [any InputDeclaration] = [title, parameters, days, limits, newAddress]
    static let ofProject: [any InputDeclaration] = ofDevice + [tanks]

    /// - Throws: `Problem` for another number of days, and for a parameter that is there twice.
    static func wish(_ inputs: Inputs, of device: Device.HardwareID) throws -> PageWish {
        var wish = try wish(inputs)
        wish.tanks = [OwnPage.Tank(device: device, title: wish.title)]
        return wish
    }

    /// - Throws: `Problem` beside that for a device that is there twice, and for more graphs than a page has.
    static func projectWish(_ inputs: Inputs) throws -> PageWish {
        var wish = try wish(inputs)
        wish.tanks = inputs[tanks]
        guard Set(wish.tanks.map(\.device)).count == wish.tanks.count else { throw Problem(tanks, .repeated) }
        guard wish.tanks.count * wish.parameters.parameters.count <= PublicPage.mostGraphs else {
            throw Problem(tanks, .tooManyGraphs)
        }
        return wish
    }

    static var notOwn: Problem { Problem(tanks, .notOwnDevice) }

    private static func wish(_ inputs: Inputs) throws -> PageWish {
        let named = inputs[parameters].map(\.parameter)
        guard Set(named).count == named.count else { throw Problem(parameters, .repeated) }
        guard let days = Int16(exactly: inputs[days]), [1, 7, 30].contains(days) else {
            throw Problem(self.days, .notChoice(["1", "7", "30"]))
        }
        return PageWish(
            title: inputs[title], parameters: named.reduce(into: ParameterSet()) { $0.insert(ParameterSet($1)) },
            days: days,
            showsState: inputs[limits], renewsAddress: inputs[newAddress])
    }
}

extension Format where Value == String {
    fileprivate static let pageTitle = visibleText(1...60, example: "Koi pond")
}

extension Format where Value == OwnPage.Tank {
    /// An object: device, and title.
    fileprivate static let pageTank = object(
        [device, title], required: ["device", "title"], example: ["device": "tank-1", "title": "Koi pond"],
        or: .notPageTank
    ) { members throws(Fault) in
        guard let device = try members[device], let title = try members[title] else { return nil }
        return OwnPage.Tank(device: device, title: title)
    }

    private static let device = ObjectMember("device", Format<Device.HardwareID>.hardwareID)
    private static let title = ObjectMember("title", Format<String>.pageTitle)
}

extension Fault {
    fileprivate static let notPageTank = Fault("not-a-tank-of-a-page")
    fileprivate static let tooManyGraphs = Fault("too-many-graphs")
}
