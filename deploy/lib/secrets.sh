# shellcheck shell=bash
# Secrets: made once, 32 random bytes each in hexadecimal, in files that only the services' user reads. They are never
# passed in arguments.

# make_secrets DIRECTORY NAME...
make_secrets() {
    local directory=$1 name
    private_directory "$directory"
    shift
    for name; do
        [[ -s $directory/$name ]] && continue
        # Under another name first: a start that is cut short leaves no half a secret.
        (umask 077 && openssl rand -hex 32 >"$directory/$name.part")
        mv "$directory/$name.part" "$directory/$name"
    done
    give_to_service_user "$directory"
}
