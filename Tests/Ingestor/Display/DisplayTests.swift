import Instants
import Routes
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Ingestor

/// What a device shows, and the message that says so.
@Suite struct DisplayTests {
    private static let device = DeviceKey(slot: Slot.all[1], device: Device.ID(rawValue: 1))

    private static func setup(
        _ ranges: [PersonalRange], _ troubles: [ReadDisplays.Trouble] = [], name: String = "Koi pond"
    ) -> ReadDisplays.Row {
        ReadDisplays.Row(
            device: device, name: name, utcOffset: 7_200, lag: .zero, readingsFrom: .noon, ranges: ranges,
            troubles: troubles)
    }

    /// The temperature from 18 to 28, critical from 10 to 32.
    private static func temperature(_ unit: Unit = .celsius) -> PersonalRange {
        func steps(_ value: Float) -> Steps { Parameter.temperature.steps(of: value) }
        var range = PersonalRange(parameter: .temperature, unit: unit, minimum: steps(18), maximum: steps(28))
        (range.criticalMinimum, range.criticalMaximum) = (steps(10), steps(32))
        return range
    }

    /// - Parameters:
    ///   - told: When the owner was told of it last, in seconds from noon.
    ///   - answered: Who said when that they are on it, for an hour.
    private static func trouble(
        _ kind: Alert.Kind, _ parameter: Parameter?, _ side: Side? = nil, told: Int? = nil,
        answered: (name: String, since: Int)? = nil
    ) -> ReadDisplays.Trouble {
        ReadDisplays.Trouble(
            kind: .known(kind), parameter: parameter.map(Word.known), side: side,
            toldAt: told.map { .noon + .seconds($0) },
            answer: answered.map {
                ReadDisplays.OnIt(
                    name: $0.name, since: .noon + .seconds($0.since), until: .noon + .seconds($0.since + 3_600))
            })
    }

    private static func message(_ display: Display) -> String { String(decoding: display.payload, as: UTF8.self) }

    @Test func theMessageIsAPromiseToFirmware() {
        let ph = PersonalRange(parameter: .ph, unit: .ph, minimum: nil, maximum: nil)
        let trouble = Self.trouble(.range, .temperature, .high, told: 0, answered: ("Mika", 0))
        let setup = Self.setup([Self.temperature(), ph], [trouble])
        let display = Display(
            setup,
            [
                .temperature: Display.Measured(value: 29.44, at: .noon),
                .ph: Display.Measured(value: 8, at: .noon - .seconds(60)),
            ])
        #expect(
            Self.message(display) == """
                {"v":1,"name":"Koi pond","offset":7200,"state":"high","at":1777636800,\
                "onIt":{"name":"Mika","until":1777640400},\
                "values":{"temperature":{"value":29.4,"unit":"°C","digits":1,"limits":[10,18,28,32],"state":"high"},\
                "ph":{"value":8,"at":1777636740,"digits":1,"state":"fine"}}}
                """)
        #expect(display.problems == HomeProblems.Problems(device: true, parameters: [.temperature: true]))
    }

    @Test func valuesAndLimitsAreInTheOwnersUnit() throws {
        let display = Display(
            Self.setup([Self.temperature(.fahrenheit)]), [.temperature: Display.Measured(value: 23.4, at: .noon)])
        let shown = try JSON(reading: display.payload)["values"]?["temperature"]
        #expect(shown?["value"]?.number == 74.1 && shown?["unit"]?.string == "°F")
        #expect(shown?["limits"]?.array?.map(\.number) == [50, 64.4, 82.4, 89.6])
    }

    /// The clock of a device that is known to be behind.
    @Test func timesAreCorrected() throws {
        var setup = Self.setup([Self.temperature()])
        setup.lag = .seconds(7_200)
        let display = Display(setup, [.temperature: Display.Measured(value: 20, at: .noon)])
        #expect(try JSON(reading: display.payload)["at"]?.integer == 1_777_636_800 + 7_200)
    }

    static let courses: [([ReadDisplays.Trouble], Float, Display.State, Display.State)] = [
        ([trouble(.range, .temperature, .high)], 29, .high, .high),
        ([trouble(.range, .temperature, .low)], 17, .low, .low),
        ([trouble(.range, .temperature, .high)], 32.1, .critical, .critical),
        ([trouble(.range, .temperature, .high)], 32, .high, .high),
        ([trouble(.fault, .temperature)], 20, .fault, .fault),
        ([trouble(.silence, .temperature)], 20, .silent, .silent),
        ([trouble(.silence, nil)], 20, .silent, .silent),
        ([trouble(.silence, nil), trouble(.range, .temperature, .high)], 40, .silent, .silent),
        ([trouble(.silence, .ph)], 20, .fine, .silent),
        ([trouble(.rate, .temperature), trouble(.ahead, .temperature)], 20, .fine, .fine),
        ([], 29, .fine, .fine),  // not decided yet
    ]

    @Test(arguments: courses) func theWorstIsShown(
        _ troubles: [ReadDisplays.Trouble], _ value: Float, _ expected: Display.State, _ whole: Display.State
    ) {
        let ph = PersonalRange(parameter: .ph, unit: .ph, minimum: nil, maximum: nil)
        let display = Display(
            Self.setup([Self.temperature(), ph], troubles),
            [.temperature: Display.Measured(value: value, at: .noon)])
        #expect(display.items.first?.state == expected)
        #expect(display.state == whole)
    }

    /// Who is shown to be on it, and until when, in seconds from noon; the temperature is critical at 33.
    static let answers: [(String, Float, [ReadDisplays.Trouble], String?, Int)] = [
        ("answered", 33, [trouble(.range, .temperature, .high, told: 0, answered: ("Mika", 60))], "Mika", 3_660),
        (
            "critical, after an answer to what is harmless", 33,
            [
                trouble(.fault, .ph, told: 0, answered: ("Mika", 60)),
                trouble(.range, .temperature, .high, told: 120),
            ], nil, 0
        ),
        (
            "critical before that answer, or not told at all", 33,
            [trouble(.range, .temperature, .high), trouble(.fault, .ph, told: 0, answered: ("Mika", 60))], nil, 0
        ),
        (
            "harmless, and told since", 29,
            [
                trouble(.fault, .ph, told: 0, answered: ("Mika", 60)),
                trouble(.range, .temperature, .high, told: 120),
            ], nil, 0
        ),
        (
            "harmless, and told before or not yet", 29,
            [
                trouble(.fault, .ph, told: 0, answered: ("Mika", 60)), trouble(.range, .temperature, .high, told: 30),
                trouble(.silence, .alkalinity),
            ], "Mika", 3_660
        ),
        (
            "worse since the answer", 33, [trouble(.range, .temperature, .high, told: 120, answered: ("Mika", 60))],
            nil, 0
        ),
        (
            "two answers, of which the first is to what is critical", 33,
            [
                trouble(.range, .temperature, .high, told: 0, answered: ("Mika", 60)),
                trouble(.fault, .ph, told: 90, answered: ("Ann", 600)),
            ], "Ann", 3_660
        ),
    ]

    /// An answer quiets the buzzer, so that it must not be one to something else.
    @Test(arguments: answers) func anAnswerHoldsForWhatItAnswers(
        _ course: String, _ value: Float, _ troubles: [ReadDisplays.Trouble], _ name: String?, _ until: Int
    ) {
        let display = Display(
            Self.setup([Self.temperature()], troubles), [.temperature: Display.Measured(value: value, at: .noon)])
        #expect(display.onIt?.name == name)
        #expect(name == nil || display.onIt?.until == .noon + .seconds(until))
    }

    @Test func whatWasNeverMeasuredIsNotShownUnlessItIsMissed() {
        let display = Display(Self.setup([Self.temperature()]), [:])
        #expect(display.items.isEmpty && display.state == .fine)
        #expect(!Self.message(display).contains("at\":"))
        let missed = Display(Self.setup([Self.temperature()], [Self.trouble(.silence, .temperature)]), [:])
        #expect(missed.items.map(\.state) == [.silent])
    }

    /// Every parameter, with limits of many digits and the longest names.
    @Test func theMessageHasAtMostOneKibibyteAndKeepsWhatIsWrong() throws {
        let ranges = Parameter.allCases.map { parameter in
            PersonalRange(
                parameter: parameter, unit: parameter.canonicalUnit, minimum: parameter.absoluteRange.lowerBound,
                maximum: parameter.absoluteRange.upperBound)
        }
        let last = try #require(Parameter.allCases.last)
        let person = String(repeating: "鯉", count: 40)
        let setup = Self.setup(
            ranges, [Self.trouble(.range, last, .high, told: 0, answered: (person, 0))],
            name: String(repeating: "\"", count: 64))
        let values = Parameter.allCases.map { ($0, Display.Measured(value: 7.25, at: .noon)) }
        let display = Display(setup, Dictionary(uniqueKeysWithValues: values))
        #expect(display.payload.count <= 1_024)
        let shown = try JSON(reading: display.payload)
        let names = try #require(shown["values"]?.members?.map(\.name))
        #expect(names.last == last.name && names.first == Parameter.allCases.first?.name)
        #expect(shown["more"]?.integer == Int64(Parameter.allCases.count - names.count))
    }

    /// Twenty troubles of all sorts, of which ten or so have room.
    @Test func whatHasNoRoomIsTheLeastBad() throws {
        let parameters = Array(Parameter.allCases.prefix(20))
        #expect(parameters.count == 20 && parameters.first == .temperature)
        let ranges = parameters.map { parameter in
            PersonalRange(
                parameter: parameter, unit: parameter.canonicalUnit, minimum: parameter.absoluteRange.lowerBound,
                maximum: parameter.absoluteRange.upperBound)
        }
        // A fault, too low, too high, silent, fault, and so on. The temperature is fine.
        let troubles = parameters.enumerated().dropFirst().map { number, parameter in
            switch number % 4 {
            case 0: Self.trouble(.silence, parameter)
            case 1: Self.trouble(.fault, parameter)
            case 2: Self.trouble(.range, parameter, .low)
            default: Self.trouble(.range, parameter, .high)
            }
        }
        let values = parameters.map { ($0, Display.Measured(value: 7.25, at: .noon)) }
        let display = Display(Self.setup(ranges, troubles), Dictionary(uniqueKeysWithValues: values))
        #expect(display.payload.count <= Display.mostBytes)
        let shown = try #require(try JSON(reading: display.payload)["values"]?.members?.map(\.name))
        #expect(shown.count < 20 && shown.first == "temperature")
        let named = display.items.filter { shown.contains($0.parameter.name) }
        let dropped = display.items.filter { !shown.contains($0.parameter.name) }
        let best = try #require(named.dropFirst().map(\.state).min())
        #expect(dropped.allSatisfy { $0.state <= best }, "nothing is left out for what is less bad")
        // Of equals the first stay.
        let equals = display.items.filter { $0.state == best && $0.parameter != .temperature }.map(\.parameter.name)
        let kept = equals.filter(shown.contains)
        #expect(Array(equals.prefix(kept.count)) == kept)
        // Its order is still the owner's.
        #expect(shown == named.map(\.parameter.name))
    }
}
