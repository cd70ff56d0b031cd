# Prints what came of tests, of the logs or the output of one or more processes: each test that failed, and the summaries, each once. Those of
# what passed come first, so that the last line is that of a failure if there is any.
/^[^ ]+ Test (run with|.* failed after) / && !had[$0]++ {
    if (/^✘ /) failed = failed $0 "\n"
    else print
}
END { printf "%s", failed }
