# Of the output of swift test, what is not as expected: failures, skipped tests with their reasons, the summary. Left out is what is
# said of tests that began or passed, which goes on over further lines where the arguments of a test have line breaks.
BEGIN {
    expected = "^(◇ |✔ (Suite |Test case |Test \"|Test [^ ]+\\())"
    event = "^(◇|✔|✘|↳|➜|⚠) "
    complete = "(started|passed after [0-9.]+ seconds( with [0-9]+ known issues?)?)\\.$"
}
$0 ~ event { goes_on = 0 }
!goes_on && $0 !~ expected { print; fflush(); next }
{ goes_on = $0 !~ complete }
