# shellcheck shell=bash disable=SC2034
# The documentation sites of the benchmark; sourced by the scripts beside it.
#
# Names, folders and first pages stand here once. Each site has a registrable domain
# of its own, because politeness is owed to the registrable domain: under one parent
# the five would be crawled one request at a time.

# Everything the benchmark writes: server, logs, URL sets, crawls, results.
WORK=${GRISTMILL_BENCH_DIR:-${TMPDIR:-/tmp}/gristmill-bench}
PORT=${GRISTMILL_BENCH_PORT:-8088}
# The same pages over TLS, with a certificate (P-256) that the server made itself.
TLS_PORT=$((PORT + 1))
CERTIFICATE=$WORK/nginx/certificate.pem
ACCESS_LOG=$WORK/nginx/access.tsv

# host → folder served as its root.
declare -A SITE_ROOT=(
    [python-docs.test]=/usr/share/doc/python3-doc/html
    [debian-handbook.test]=/usr/share/doc/debian-handbook/html
    [postgresql-docs.test]=/usr/share/doc/postgresql-doc-15/html
    [debian-reference.test]=/usr/share/debian-reference
    [apache-docs.test]=/usr/share/doc/apache2-doc/manual
)
SITES=(python-docs.test debian-handbook.test postgresql-docs.test debian-reference.test apache-docs.test)
# Other pages: a folder with a folder of pages for each host.
if [[ -n ${GRISTMILL_BENCH_ROOTS-} ]]; then
    SITES=()
    for root in "$GRISTMILL_BENCH_ROOTS"/*/; do
        root=${root%/}
        SITES+=("${root##*/}")
        SITE_ROOT[${root##*/}]=$root
    done
fi
# A shorter list for a quick look, for example "debian-reference.test".
[[ -z ${GRISTMILL_BENCH_SITES-} ]] || read -ra SITES <<<"$GRISTMILL_BENCH_SITES"
PACKAGES=(python3-doc debian-handbook postgresql-doc-15 debian-reference-zh-cn apache2-doc nginx-light wget)

die() { printf '%s: %s\n' "${0##*/}" "$*" >&2; exit 1; }

seed_of() { printf 'http://%s:%s/\n' "$1" "$PORT"; }

# The first page of every site, a line each.
seeds() { local host; for host in "${SITES[@]}"; do seed_of "$host"; done; }

# Settings of gristmill by which the names lead to the server.
resolve_settings() {
    local host
    printf '[fetch]\nca_file = "%s"\n' "$CERTIFICATE"
    echo '[fetch.resolve]'
    for host in "${SITES[@]}"; do printf '"%s" = "127.0.0.1"\n' "$host"; done
}

# The server has the first core, the contestant the last; a machine with one core has nothing to separate.
pin_server() {
    local pid server
    server=$(<"$WORK/nginx/nginx.pid")
    [[ $(nproc) -lt 2 ]] || for pid in "$server" $(pgrep -P "$server"); do taskset -apc 0 "$pid" >/dev/null; done
}
pinned() { taskset -c "$(($(nproc) - 1))" "$@"; }

require_server() {
    curl -fsS -o /dev/null -H "Host: ${SITES[0]}" "http://127.0.0.1:$PORT/" 2>/dev/null \
        || die "no documentation server on port $PORT: run scripts/bench/serve-docs start"
}
