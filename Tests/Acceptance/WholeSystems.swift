import Testing

/// Tests that start whole systems, one after the other. Only so many run at a time as there are cores (`withHeavyTurn`), and a test
/// that waited for its turn would keep a place in which tests without a system can run. The walks of the web app are rows of their
/// own. `deploy/test` runs all rows beside the other tests: within one process, the next test of a row waits behind all that are left.
@Suite(.serialized) enum WholeSystems {}
