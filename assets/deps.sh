#!/bin/sh
# Finds and installs the packages of assets/packages.tsv.
#
#   deps.sh install GROUP...   install what is missing; asks on a terminal unless YES=1
#   deps.sh have GROUP...      succeed if nothing is missing, else one sentence
#   deps.sh report             table of what is found, off or missing
#
# Runs before anything is installed, so: POSIX sh and coreutils only.
set -u
table=$(dirname "$0")/packages.tsv
tab=$(printf '\t')

present() {
    case $1 in
    cmd:*) command -v "${1#*:}" >/dev/null 2>&1 ;;
    pkg:*) "${PKG_CONFIG:-pkg-config}" --exists "${1#*:}" 2>/dev/null ;;
    header:*) printf '#include <%s>\n' "${1#*:}" | ${CC:-cc} -E -x c - >/dev/null 2>&1 ;;
    # LLVM keeps its libraries two levels above its own headers.
    clang-lib:*) [ -e "$(clang -print-resource-dir 2>/dev/null)/../../${1#*:}" ] ;;
    esac
}

forced_off() { eval "[ \"\${WITH_$1:-}\" = 0 ]" 2>/dev/null; }

# The package manager of this machine: it decides the column of the table and the command.
manager=
for m in apt-get dnf pacman brew; do
    if command -v $m >/dev/null 2>&1; then manager=$m; break; fi
done
case $manager in
apt-get) install='apt-get update && apt-get install -y --no-install-recommends' ;;
dnf) install='dnf install -y' ;;
pacman) install='pacman -S --needed --noconfirm' ;;
brew) install='brew install' ;;
esac

package_of() { # debian fedora arch brew
    case $manager in
    dnf) echo "$2" ;;
    pacman) echo "$3" ;;
    brew) echo "$4" ;;
    *) echo "$1" ;;
    esac
}

# rows COMMAND: call COMMAND with the columns of each row
rows() {
    while IFS=$tab read -r group feature how debian fedora arch brew what; do
        case $group in '#'* | '') continue ;; esac
        package=$(package_of "$debian" "$fedora" "$arch" "$brew")
        "$1"
    done <"$table"
}

collect() {
    case " $groups " in *" $group "*) ;; *) return ;; esac
    if [ "$group" = optional ] && forced_off "$feature"; then return; fi
    present "$how" && return
    [ "$group" = optional ] || blocking="$blocking $feature"
    missing="$missing $feature"
    packages="$packages $package"
    lines="$lines$(printf '  %-13s %-32s %s' "$feature" "$what" "$package")
"
}

find_missing() { missing='' packages='' blocking='' lines=''; rows collect; }

report_row() {
    if [ "$group" = optional ] && forced_off "$feature"; then
        state="off (WITH_$feature=0)"
    elif present "$how"; then
        state=found
        case $how in pkg:*) state="found $("${PKG_CONFIG:-pkg-config}" --modversion "${how#*:}" | head -n 1)" ;; esac
    else
        state="missing: $package"
    fi
    printf '  %-9s %-13s %-32s %s\n' "$group" "$feature" "$what" "$state"
}

# If nothing can be installed: prints the command to type, then goes on or fails.
explain() {
    [ -z "$manager" ] || echo "To install it, type:  $by_hand"
    find_missing
    if [ -n "$blocking" ]; then
        echo "stencilscope cannot be built without:$blocking" >&2
        exit 1
    fi
    echo "Continuing without:$missing  (WITH_<NAME>=0 turns one off permanently)"
    exit 0
}

run_install() {
    case $manager in
    apt-get)
        apt="$sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300"
        set -- -y -o Dpkg::Use-Pty=0 --no-install-recommends install $packages
        # A fresh image has no package lists; old ones may name versions that are gone.
        ls /var/lib/apt/lists/*_Packages* >/dev/null 2>&1 && $apt "$@" && return
        $apt update && $apt "$@"
        ;;
    *) $sudo $install $packages ;;
    esac
}

install_missing() {
    find_missing
    [ -n "$missing" ] || exit 0
    printf 'Missing:\n%s' "$lines"
    by_hand="$install$packages"
    if [ "$(id -u)" = 0 ] || [ "$manager" = brew ]; then
        sudo=
    elif command -v sudo >/dev/null 2>&1; then
        sudo=sudo by_hand="sudo sh -c '$by_hand'"
    else
        sudo=none by_hand="su -c '$by_hand'"
    fi
    if [ -z "$manager" ]; then
        echo "No known package manager here (apt-get, dnf, pacman, brew)."
        explain
    fi
    if [ "$sudo" = none ]; then explain; fi
    if [ "${YES:-}" != 1 ] && [ -t 0 ]; then
        printf 'Install them (%s)? [Y/n] ' "$by_hand"
        read -r answer
        case $answer in '' | [Yy]*) ;; *) explain ;; esac
    fi
    # Without a terminal nobody can type a password.
    if [ -n "$sudo" ] && ! [ -t 0 ]; then sudo='sudo -n'; fi
    run_install || explain
    find_missing
    [ -z "$missing" ] || explain
}

command=$1
shift
groups=$*
case $command in
install) install_missing ;;
have)
    find_missing
    [ -z "$missing" ] || { echo "missing:$missing"; exit 1; }
    ;;
report) rows report_row ;;
*) echo "deps.sh: unknown command '$command'" >&2; exit 2 ;;
esac
