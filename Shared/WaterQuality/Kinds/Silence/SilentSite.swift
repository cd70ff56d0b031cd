/// The devices of one owner, as far as the person who is told has them, of which several fell silent at once (`SharedSilence`).
package struct SilentSite: Hashable, Sendable, Codable {
    /// The owner's account, a person's or a project's: what has the same is told in one message. Shown to nobody.
    package var site: Int64
    /// The name of a project; `nil` for the devices of a person.
    package var name: String?
    /// The number of devices that were heard when it began; of an all-clear, of those that were told to be silent.
    package var of: Int
    /// Of an all-clear: the person's names for devices that are still silent, `mostNames` at most, and how many there are.
    package var missing: [String]
    package var missingCount: Int

    package init(site: Int64, name: String?, of: Int, missing: [String] = [], missingCount: Int = 0) {
        self.site = site
        self.name = name
        self.of = of
        self.missing = missing
        self.missingCount = missingCount
    }

    /// More names are not read.
    package static let mostNames = 10
}
