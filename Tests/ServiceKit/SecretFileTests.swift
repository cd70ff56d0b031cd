import Foundation
import ServiceKit
import Testing

@Suite struct SecretFileTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// The result of reading the file: the secret, or the fault as text.
    private func read(_ path: String, minimumLength: Int = 8) -> Result<String, ConfigurationFaults> {
        Result { () throws(ConfigurationFaults) in
            try Configuration.read(from: ["AQUA_DEVICE_KEY_FILE": path]) {
                $0.secret(.deviceKeyFile, minimumLength: minimumLength).revealed
            }
        }
    }

    private func fault(_ path: String, minimumLength: Int = 8) -> String? {
        if case .failure(let faults) = read(path, minimumLength: minimumLength) { faults.description } else { nil }
    }

    @Test(arguments: ["long enough", "long enough\n", "long enough\r\n"])
    func trimsTheLineBreak(content: String) throws {
        #expect(try read(directory.file("key", content)).get() == "long enough")
    }

    @Test func keepsSpacesAtTheEnds() throws {
        #expect(try read(directory.file("key", " pass word \n")).get() == " pass word ")
    }

    @Test(arguments: [0o600, 0o400, 0o440, 0o640])
    func takesPrivateModes(mode: Int) throws {
        #expect(try read(directory.file("key", "long enough", mode: mode)).get() == "long enough")
    }

    @Test(arguments: [0o644, 0o604, 0o602, 0o666])
    func namesTheChmodForOpenModes(mode: Int) throws {
        let path = try directory.file("key", "long enough", mode: mode)
        // Only the beginning: the sentence is cut at a length, and a temporary directory may have a long path.
        let told =
            "AQUA_DEVICE_KEY_FILE names \"\(path)\", which is open to other users (mode 0\(String(mode, radix: 8))): run: chmod 0600 "
        #expect(fault(path)?.hasPrefix(told) == true)
    }

    @Test(arguments: [
        ("", "is empty"), ("\n", "is empty"), ("short", "holds a weak secret of 5 bytes"),
        ("two\nlines of it", "holds more than one line"), ("long enough\n\n", "holds more than one line"),
        (String(repeating: "x", count: 5_000), "is too large"),
    ])
    func refusesContent(content: String, problem: String) throws {
        let told = try fault(directory.file("key", content))
        #expect(told?.contains(problem) == true)
        #expect(told?.contains("lines of it") == false)
    }

    @Test func refusesWhatIsNotThere() {
        #expect(fault(directory.path + "/absent")?.contains("cannot be read (No such file or directory)") == true)
        #expect(fault(directory.path)?.contains("is not a regular file") == true)
    }

    @Test func doesNotWaitAtANamedPipe() {
        let pipe = directory.path + "/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        #expect(fault(pipe)?.contains("is not a regular file") == true)
    }

    @Test func reportsAnAbsentVariable() {
        #expect(throws: ConfigurationFaults.self) {
            try Configuration.read(from: ["AQUA_DEVICE_KEY_FILE": "  "]) { $0.secret(.deviceKeyFile, minimumLength: 8) }
        }
    }
}
