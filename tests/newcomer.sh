#!/bin/sh
# SPDX-License-Identifier: MIT
# newcomer.sh [SUITE…]: does what the README tells a newcomer to do, in a bare system of each Debian suite (bookworm and
# trixie unless named): a fresh clone of HEAD, `./dev demo`, `./dev test`. Needs root, debootstrap and the network, and
# takes several minutes a suite, so it is no part of the usual CI.
set -eu
cd "$(dirname "$0")/.."
[ "$(id -u)" = 0 ] || { echo 'newcomer.sh: needs root, to make a chroot' >&2; exit 2; }
command -v debootstrap >/dev/null || { echo 'newcomer.sh: needs debootstrap (apt-get install debootstrap)' >&2; exit 2; }
[ $# -gt 0 ] || set -- bookworm trixie

work=$(mktemp -d)
# Nothing of this machine's disk is bound into the chroots, and what is left mounted is never removed.
clean_up() {
    umount "$work"/*/proc "$work"/*/dev/pts 2>/dev/null || :
    rm -rf --one-file-system "$work"
}
trap clean_up EXIT
trap 'exit 130' INT TERM HUP

# The new system reaches the Python index as this machine does, and Debian through the mirror that this machine uses;
# on a machine that is no Debian, DEBIAN_MIRROR names one.
mirror=${DEBIAN_MIRROR:-$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' |
    sed -n "s/ $(. /etc/os-release && echo "$VERSION_CODENAME")\$//p" | head -n 1)}
hand_over() {
    cp /etc/resolv.conf "$1/etc/resolv.conf"
    apt-config dump | grep -E '^Acquire::(https?|Check)' >"$1/etc/apt/apt.conf.d/99newcomer" || :
    env | grep -E '^(PIP_(INDEX_URL|DEFAULT_TIMEOUT)|(https?|no)_proxy)=' >"$1/etc/newcomer.env" || :
    if [ -f "${PIP_CERT:-}" ]; then
        cp "$PIP_CERT" "$1/etc/newcomer.crt"
        echo PIP_CERT=/etc/newcomer.crt >>"$1/etc/newcomer.env"
    fi
}

# inside ROOT COMMAND…: in the clone in that chroot, with a bare environment.
inside() {
    root=$1
    shift
    # shellcheck disable=SC2046 # one word a variable
    env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin $(cat "$root/etc/newcomer.env") \
        chroot "$root" sh -c 'cd /root/ordo && exec "$@"' sh "$@"
}

for suite in "$@"; do
    root=$work/$suite
    echo "== $suite: a bare system"
    debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$work/debootstrap.log" || {
        tail -n 20 "$work/debootstrap.log" >&2
        exit 1
    }
    mount -t proc proc "$root/proc"
    mount -t devpts devpts "$root/dev/pts"
    hand_over "$root"
    git clone -q . "$root/root/ordo"
    for command in demo test; do
        echo "== $suite: ./dev $command"
        start=$(date +%s)
        inside "$root" ./dev "$command"
        echo "== $suite: ./dev $command took $(($(date +%s) - start)) s"
    done
    umount "$root/proc" "$root/dev/pts"
    rm -rf --one-file-system "$root"
done
echo "== newcomer.sh: all well on $*"
