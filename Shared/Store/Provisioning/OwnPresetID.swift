/// The id of a preset of a person's or a project's own.
package struct OwnPresetID: RowUUID {
    package let rawValue: UInt128
    package init(rawValue: UInt128) { self.rawValue = rawValue }
}
