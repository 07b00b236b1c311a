#!/bin/sh
# SPDX-License-Identifier: MIT
# messages.sh SOURCE: fails when an id of the message table occurs in no test, or when hardly any id
# is found, because then the table is written in another way than this script reads.
set -eu
cd "$1"
untested=0
ids=$(sed -n 's/^ *X(\([A-Z_0-9]*\),.*/\1/p' src/messages.h)
found=$(echo "$ids" | wc -l)
[ "$found" -ge 20 ] || {
    echo "only $found ids are found in src/messages.h"
    exit 1
}
for id in $ids; do
    grep -qw "ORDO_MESSAGE_$id" tests/*.c || {
        echo "ORDO_MESSAGE_$id occurs in no test"
        untested=1
    }
done
exit $untested
