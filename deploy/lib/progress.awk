# Of the output of swift build, what a person wants to know: how far it is, at each twentieth, and whatever the compiler says that is no
# step. Steps come as [7/123] Compiling ...; how many there are grows while it runs.
BEGIN { told = -1 }
match($0, /^\[[0-9]+\/[0-9]+\] /) {
    split(substr($0, 2, RLENGTH - 3), step, "/")
    twentieth = int(20 * step[1] / step[2])
    if (step[2] >= 20 && twentieth > told) {
        told = twentieth
        printf "    %s: %d of %d steps\n", name, step[1], step[2]
        fflush()
    }
    next
}
/^(Building for |Build of product |warning: '[^']*': found .* unhandled|    \/.*CMakeLists\.txt$|Fetching |Fetched |Computing |Computed |Creating |Working copy |Updating |Updated )/ { next }
{ print; fflush() }
