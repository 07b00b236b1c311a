#!/bin/sh
# SPDX-License-Identifier: MIT
# messages.sh SOURCE: fails when an id of the message table occurs in no test.
set -eu
cd "$1"
untested=0
for id in $(sed -n 's/^ *X(\([A-Z_0-9]*\),.*/\1/p' src/messages.h); do
    grep -qw "ORDO_MESSAGE_$id" tests/*.c || {
        echo "ORDO_MESSAGE_$id occurs in no test"
        untested=1
    }
done
exit $untested
