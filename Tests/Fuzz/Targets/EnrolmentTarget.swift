import People
import WaterQuality

extension FuzzTarget {
    /// A list of devices that somebody wants to enrol.
    static let enrolment = FuzzTarget(
        "enrolment",
        seeds: [
            "hardware_id,name,firmware,preset\npond-1,Pond,tasmota,goldfish_koi\npond-2,\"Old, pond\",,\n",
            "\u{FEFF}name;hardware_id\r\nPond;pond-1\r\n;pond-1\r\n", "hardware_id\taqua\n\"unclosed",
        ],
        words: [
            "hardware_id", "name", "firmware", "preset", "\n", "\r\n", "\"", ",", ";", "\t", "aqua_", "tasmota",
            "goldfish_koi", "#", "\u{202E}", "\u{FEFF}",
        ]
    ) { bytes in
        let list = EnrolmentList(bytes, most: 4)
        try promise(list.entries.count <= 4, "\(list.entries.count) devices")
        try promise(!list.entries.isEmpty || !list.faults.isEmpty, "neither devices nor faults")
        try promise(Set(list.entries.map(\.id)).count == list.entries.count, "an id twice")
        try promise(
            list.entries.allSatisfy { !$0.id.text.hasPrefix(EnrolmentList.reservedPrefix) }, "the id of a service")
        try promise(list.faults.allSatisfy { $0.line >= 1 && $0.line <= bytes.count + 1 }, "a fault on no line")
        try promise(
            list.faults.allSatisfy { $0.detail?.unicodeScalars.count ?? 0 <= 64 }, "a detail that is not cut")
        try promise(
            list.entries.map(\.line) == list.entries.map(\.line).sorted(), "devices in another order than their lines")
    }
}
