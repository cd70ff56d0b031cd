package enum PeoplePlaceholder {}
