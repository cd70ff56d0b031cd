import ServiceKit
import Testing

@Suite struct ByteSizeTests {
    @Test(arguments: [
        ("100GB", 100_000_000_000), ("1.5 tb", 1_500_000_000_000), ("512GiB", 549_755_813_888), ("1b", 1),
        ("2 kB", 2_000), ("0.001kB", 1),
    ] as [(String, Int64)]) func sizes(_ text: String, _ bytes: Int64) {
        #expect(parseByteSize(text) == bytes)
    }

    @Test(arguments: ["", "100", "GB", "-1GB", "0GB", "1e3GB", "nanGB", "1.2.3GB", "100 apples", "9999999999TB", "１GB"])
    func whatIsNoSize(_ text: String) {
        #expect(parseByteSize(text) == nil)
    }

    @Test(arguments: [
        (0, "0 B"), (999, "999 B"), (1_000, "1.00 kB"), (999_499, "999 kB"), (999_500, "1.00 MB"), (12_345_678, "12.3 MB"),
        (9_994_000_000, "9.99 GB"), (99_950_000_000, "100 GB"), (4_200_000_000_000_000, "4200 TB"), (1_050, "1.05 kB"),
    ] as [(Double, String)]) func texts(_ bytes: Double, _ text: String) {
        #expect(byteSizeText(bytes) == text)
    }
}
