# shellcheck shell=bash
# Secrets: made once, 32 random bytes each in hexadecimal, in files that only the services' user can read. Secrets are
# never passed in arguments.

# make_secrets DIRECTORY NAME...
make_secrets() {
    local directory=$1 name
    private_directory "$directory"
    shift
    for name; do
        [[ -s $directory/$name ]] && continue
        # Written under another name first: an interrupted start leaves no half-written secret.
        (umask 077 && openssl rand -hex 32 >"$directory/$name.part")
        mv "$directory/$name.part" "$directory/$name"
    done
    give_to_service_user "$directory"
}
