# Prints the unexpected part of the output of swift test: failures, skipped tests with their reasons, and the summary. Lines of
# tests that began or passed are left out; they continue over further lines if a test's arguments have line breaks.
BEGIN {
    expected = "^(◇ |✔ (Suite |Test case |Test \"|Test [^ ]+\\())"
    event = "^(◇|✔|✘|↳|➜|⚠) "
    complete = "(started|passed after [0-9.]+ seconds( with [0-9]+ known issues?)?)\\.$"
}
$0 ~ event { goes_on = 0 }
!goes_on && $0 !~ expected { print; fflush(); next }
{ goes_on = $0 !~ complete }
