# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by app/trainwright and tests/run: installs what is missing and builds the release preset.
# Everything it says goes to standard error; nothing it runs reads standard input. The caller sets `root`, the folder
# of the project.

build=$root/build/release
program=$build/bin/trainwright
catalog=$build/share/trainwright/catalog.sqlite
stamp=$build/.built
log=$root/build/release.log

say() { printf 'trainwright: %s\n' "$*" >&2; }
# Its own exit code, so that nobody takes a failed build for an infeasible plan (1) or bad input (2).
give_up() { say "$@"; exit 3; }

# True when the program is there and no source, and no folder that holds sources, changed since.
is_built() {
    [ -x "$program" ] && [ -f "$catalog" ] && [ -f "$stamp" ] || return 1
    [ -z "$(cd "$root" && find CMakeLists.txt CMakePresets.json cmake app model data reports ui \
        -path data/scenarios -prune -o -newer "$stamp" -print -quit 2>/dev/null)" ]
}

missing_packages() {
    local wanted installed
    wanted=$(sort "$root/app/packages.txt")
    # shellcheck disable=SC2086
    installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' $wanted 2>/dev/null |
        sed -n 's/^installed //p' | sort -u)
    comm -23 <(printf '%s\n' "$wanted") <(printf '%s\n' "$installed") | tr '\n' ' '
}

install_packages() {
    local missing tool absent=
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        for tool in c++ cmake ninja pkg-config; do
            command -v "$tool" >/dev/null || absent="$absent $tool"
        done
        [ -z "$absent" ] || give_up "not found:$absent. This machine has no apt; install what" \
            "corresponds to the Debian packages listed in $root/app/packages.txt, then try again."
        return
    fi
    missing=$(missing_packages)
    [ -n "$missing" ] || return 0
    [ "$(id -u)" -eq 0 ] ||
        give_up "some packages are missing. Install them with:" \
            "sudo apt-get install --no-install-recommends $missing"
    say "installing what is missing with apt (log: $log)"
    # shellcheck disable=SC2086
    {
        apt-get -o DPkg::Lock::Timeout=600 -q update &&
            apt-get -o DPkg::Lock::Timeout=600 -q -y --no-install-recommends install $missing
    } </dev/null >>"$log" 2>&1 || give_up_with_log "apt could not install them"
}

give_up_with_log() {
    tail -n 25 "$log" >&2
    give_up "$1; the end of the log is above, all of it is in $log"
}

# Shows the last line of what it reads on a terminal, so that a first build is seen to move.
show_progress() {
    local line
    if [ -t 2 ]; then
        while IFS= read -r line; do
            case $line in
                \[*) printf '\r\033[K%.*s' "$((${COLUMNS:-80} - 1))" "$line" >&2 ;;
            esac
        done
        printf '\r\033[K' >&2
    else
        cat >/dev/null
    fi
}

configure() {
    # A cache that was made for another folder can't be used for this one.
    if [ -f "$build/CMakeCache.txt" ] &&
        ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$build/CMakeCache.txt"; then
        rm -rf "$build"
    fi
    [ -f "$build/build.ninja" ] && return
    (cd "$root" && cmake --preset release) </dev/null >>"$log" 2>&1 ||
        give_up_with_log "the build could not be configured"
}

# prepare TARGET…: builds these targets, one caller at a time.
prepare() {
    local began
    mkdir -p "$root/build" 2>/dev/null && [ -w "$root/build" ] ||
        give_up "cannot write to $root/build, where the program is built"
    exec 9>"$root/build/.lock"
    if ! flock -n 9; then
        say "waiting for a build that another call started"
        flock 9
    fi
    if ! { [ "$*" = trainwright ] && is_built; }; then
        : >"$log"
        install_packages
        [ -x "$program" ] || say "building the program, which takes some minutes the first time (log: $log)"
        began=$root/build/.began
        touch "$began"
        configure
        (
            set -o pipefail
            NINJA_STATUS='[%f/%t] ' cmake --build "$build" --parallel "$(nproc)" --target "$@" \
                </dev/null 2>&1 9>&- | tee -a "$log" | show_progress
        ) || give_up_with_log "the build failed"
        mv "$began" "$stamp"
    fi
    exec 9>&-
}
