import People
import Testing
import WaterQuality

@Suite struct EnrolmentListTests {
    private static func read(_ text: String, most: Int = 1_000) -> EnrolmentList {
        EnrolmentList(Array(text.utf8), most: most)
    }

    /// As "line id name firmware preset", with a dash for what is not said.
    private static func entries(_ list: EnrolmentList) -> [String] {
        list.entries.map {
            "\($0.line) \($0.id) \($0.name?.text ?? "-") \($0.firmware?.rawValue ?? "-") \($0.preset ?? "-")"
        }
    }

    /// As "line column code detail".
    private static func faults(_ list: EnrolmentList) -> [String] {
        list.faults.map { "\($0.line) \($0.column?.rawValue ?? "-") \($0.kind.rawValue) \($0.detail ?? "-")" }
    }

    @Test(arguments: [
        "hardware_id,name,firmware,preset\npond-1,Pond,tasmota,goldfish_koi\npond-2,,,\n",
        "\u{FEFF}hardware_id;name;firmware;preset\r\npond-1;Pond;tasmota;goldfish_koi\r\npond-2;;;\r\n",
        "hardware_id\tname\tfirmware\tpreset\rpond-1\tPond\ttasmota\tgoldfish_koi\rpond-2\t\t\t",
        "\"HARDWARE_ID\",\"name\",firmware,preset\n\"pond-1\",\"Pond\",tasmota,goldfish_koi\npond-2,,,\n",
    ]) func oneListInManyForms(_ text: String) {
        let list = Self.read(text)
        #expect(Self.faults(list) == [])
        #expect(Self.entries(list) == ["2 pond-1 Pond tasmota goldfish_koi", "3 pond-2 - - -"])
    }

    @Test func theIDAloneIsNeededAndColumnsStandInAnyOrder() {
        #expect(Self.entries(Self.read("hardware_id\npond-1\n")) == ["2 pond-1 - - -"])
        #expect(Self.entries(Self.read("name,hardware_id\n\"Pond, old\",pond-1\n")) == ["2 pond-1 Pond, old - -"])
    }

    @Test func presetsOfOnesOwnAreTakenByTheirNames() {
        let text = "hardware_id,preset\npond-1,\"Trout, first year\"\npond-2,reef\npond-3,Fog\n"
        let list = EnrolmentList(Array(text.utf8), most: 10) { name in
            name == "Trout, first year" ? "its id" : Preset(rawValue: name)?.rawValue
        }
        #expect(Self.entries(list) == ["2 pond-1 - - its id", "3 pond-2 - - reef"])
        #expect(Self.faults(list) == ["4 preset preset Fog"])
    }

    @Test func linesWithoutTextAreLeftOut() {
        let list = Self.read("hardware_id,name\n\n,\npond-1,Pond\n ,\t\n")
        #expect(Self.faults(list) == [])
        #expect(Self.entries(list) == ["4 pond-1 Pond - -"])
    }

    @Test func everyFaultIsNamedByItsLine() {
        let list = Self.read(
            """
            hardware_id,name,firmware,preset
            pond-1,Pond,tasmota,goldfish_koi
            pond 2,Pond,,
            ,Pond,,
            aqua_admin,,,
            pond-1,,,
            pond-3,,windows,sea monster
            pond-4,Pond
            "pond-5"x,,,
            pond-6,a\u{202E}b,,
            pond-7,,,
            """)
        #expect(
            Self.faults(list) == [
                "3 hardware_id id pond 2", "4 hardware_id id-missing -", "5 hardware_id id aqua_admin",
                "6 hardware_id id-twice 2", "7 firmware firmware windows", "7 preset preset sea monster", "8 - cells -",
                "9 - quote -", "10 name name a\u{202E}b",
            ])
        #expect(Self.entries(list) == ["2 pond-1 Pond tasmota goldfish_koi", "11 pond-7 - - -"])
    }

    @Test(arguments: [
        ("", ["1 - empty -"]), ("hardware_id\n", ["1 - empty -"]),
        ("id,name\npond-1,Pond\n", ["1 - columns id", "1 hardware_id column-missing -"]),
        ("hardware_id,name,name,colour\npond-1,a,b,c\n", ["1 name column-twice -", "1 - columns colour"]),
        ("hardware_id\npond-1\npond-2\npond-3\n", ["4 - too-many -"]),
    ]) func whatIsNoListSaysSo(_ text: String, _ faults: [String]) {
        #expect(Self.faults(Self.read(text, most: 2)) == faults)
    }

    @Test func whatStandsInFaultsIsCutAndTheyHaveAnEnd() {
        let list = Self.read(
            "hardware_id\n" + String(repeating: String(repeating: "x", count: 99) + "\n", count: 5_000))
        #expect(list.faults.count <= 1_001)
        #expect(list.faults.allSatisfy { ($0.detail ?? "").count <= 64 })
    }

    @Test func idsOfTheHousesOwnMakingDiffer() {
        let ids = Set((0..<1_000).map { _ in Device.HardwareID.generate() })
        #expect(ids.count == 1_000)
        #expect(ids.allSatisfy { $0.text.hasPrefix("aqua-") && $0.text.utf8.count == 13 })
    }
}
