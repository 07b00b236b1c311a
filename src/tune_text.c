/* SPDX-License-Identifier: MIT */
/*
 * tune_text.c: a tuning of the caller's: what a text changes in the row of tune.c's table, and what
 * kernels need of it. Freestanding: no libc calls.
 *
 *     text       a setting, or several with spaces or commas between; of one name the last counts
 *     setting    name=number
 *
 * Names are those of fields of ordo_tuning. Only fields of which every allowed value gives right
 * plans are in the table below; what fields need of each other and of the device is checked after
 * all settings are in place.
 */
#include "plan.h"

#include <stddef.h>

/* A field that may be set, from least to most. */
typedef struct setting {
    const char *name;
    size_t offset;
    uint32_t least, most;
    uint32_t multiple; /* of which it is one; 0: a power of two */
} setting;

#define SETTING(name, least, most, multiple)                                                       \
    {#name, offsetof(ordo_tuning, name), least, most, multiple}

/* Tiles are so large that a table of counts has fewer than 2^32 words for all counts there are. A
   digit of msd has 8 bits at most for lib/rank_subgroup, and 5 at least for the control words. A
   local sort's sums take 8 rows of 16 invocations at least. */
static const setting settings[] = {
    SETTING(scan_items, 4, 32, 4),
    SETTING(scan_chain_items, 4, 32, 4),
    SETTING(scan_chain_window, 1, 256, 1),
    SETTING(radix_items, 2, 32, 1),
    SETTING(radix_subtiles, 1, 16, 1),
    SETTING(unrolled_count, 0, UINT32_MAX, 1),
    SETTING(radix_scan_items, 1, 32, 1),
    SETTING(msd_group, 64, 1024, 64),
    SETTING(msd_items, 2, 64, 2),
    SETTING(msd_rounds, 1, 16, 1),
    SETTING(msd_stable_group, 64, 1024, 64),
    SETTING(msd_stable_items, 2, 64, 2),
    SETTING(msd_stable_rounds, 1, 16, 1),
    SETTING(msd_medium_items, 2, 64, 2),
    SETTING(msd_medium_rounds, 1, 16, 1),
    SETTING(msd_medium_count, 0, 1 << 28, 1),
    SETTING(msd_small_items, 2, 64, 2),
    SETTING(msd_small_rounds, 1, 16, 1),
    SETTING(msd_small_count, 0, 1 << 24, 1),
    SETTING(msd_digit_bits, 5, 8, 1),
    SETTING(msd_local_group, 128, 1024, 32),
    SETTING(msd_large_group, 128, 1024, 32),
    SETTING(msd_middle_group, 128, 1024, 32),
    SETTING(msd_greatest_group, 128, 1024, 32),
    SETTING(msd_unrolled_count, 0, UINT32_MAX, 1),
    SETTING(msd_late_groups, 1, 65535, 1),
    SETTING(msd_scan_groups, 1, 65535, 1),
    SETTING(msd_groups, 1, UINT32_MAX, 1),
    SETTING(msd_data_count, 0, UINT32_MAX, 1),
    SETTING(onesweep_group, 256, 1024, 64),
    SETTING(onesweep_items, 2, 64, 2),
    SETTING(onesweep_rounds, 1, 16, 1),
    SETTING(onesweep_pair_items, 2, 64, 2),
    SETTING(onesweep_pair_rounds, 1, 16, 1),
    SETTING(onesweep_small_items, 2, 64, 2),
    SETTING(onesweep_small_rounds, 1, 16, 1),
    SETTING(onesweep_small_count, 0, 1 << 24, 1),
    SETTING(onesweep_tickets, 0, 1, 1),
    SETTING(onesweep_histogram_items, 2, 64, 2),
    SETTING(onesweep_histogram_groups, 1, 65535, 1),
    SETTING(sample_group, 128, 1024, 32),
    SETTING(sample_eighths, 1, 8, 1),
    SETTING(split_items, 1, 32, 1),
    SETTING(move_items, 1, 32, 1),
    SETTING(histogram_items, 1, 64, 1),
    SETTING(histogram_copies, 1, 32, 0),
    SETTING(histogram_groups, 1, 65535, 1),
    SETTING(carried_value_bytes, 0, 8, 4),
    SETTING(network_items, 4, 16, 0),
    SETTING(network_fused, 1, 4, 1),
};

enum { SETTINGS = sizeof settings / sizeof *settings, WORD_BYTES = 64 };

/* The check of one text. */
typedef struct tuner {
    const ordo_caps *caps;
    ordo_tuning *tuning;
    char *message;
    ordo_status status;
} tuner;

static void refuse(tuner *t, ordo_message_id id, ordo_report report) {
    if (t->status == ORDO_OK) {
        t->status = ordo_message_write(t->message, id, &report);
    }
}

static uint32_t *field_of(ordo_tuning *tuning, const setting *s) {
    return (uint32_t *)(void *)((char *)tuning + s->offset);
}

/* ---- The text -------------------------------------------------------------------------------- */

static bool separates(char c) { return c == ' ' || c == ',' || c == '\n' || c == '\t'; }

/* Copy the next word of *text, cut to WORD_BYTES, and move on. False: there is none. */
static bool next_word(const char **text, char *word) {
    uint32_t length = 0;
    while (separates(**text)) {
        (*text)++;
    }
    for (; **text && !separates(**text); (*text)++) {
        if (length + 1 < WORD_BYTES) {
            word[length++] = **text;
        }
    }
    word[length] = '\0';
    return length > 0;
}

/* What follows name and '=' in the word; NULL if that is not how it begins. */
static const char *after_name(const char *word, const char *name) {
    while (*name && *word == *name) {
        word++;
        name++;
    }
    return *name == '\0' && *word == '=' ? word + 1 : NULL;
}

/* False: it is no decimal number; one above UINT32_MAX is taken for more than any limit. */
static bool read_number(const char *digits, uint64_t *number) {
    *number = 0;
    if (*digits == '\0') {
        return false;
    }
    for (; *digits; digits++) {
        if (*digits < '0' || *digits > '9') {
            return false;
        }
        *number = 10 * *number + (uint64_t)(*digits - '0');
        *number = *number <= UINT32_MAX ? *number : (uint64_t)UINT32_MAX + 1;
    }
    return true;
}

static void take_number(tuner *t, const setting *s, uint64_t number) {
    if (number < s->least || number > s->most) {
        refuse(t, ORDO_MESSAGE_TUNING_RANGE,
               (ordo_report){.s = s->name, .a = number, .b = s->least, .c = s->most});
    } else if (s->multiple == 0 && (number & (number - 1))) {
        refuse(t, ORDO_MESSAGE_TUNING_POWER, (ordo_report){.s = s->name, .a = number});
    } else if (s->multiple && number % s->multiple) {
        refuse(t, ORDO_MESSAGE_TUNING_MULTIPLE,
               (ordo_report){.s = s->name, .a = number, .b = s->multiple});
    }
    *field_of(t->tuning, s) = (uint32_t)number;
}

static void take_word(tuner *t, const char *word) {
    uint64_t number;
    for (uint32_t i = 0; i < SETTINGS; i++) {
        const char *digits = after_name(word, settings[i].name);
        if (digits && read_number(digits, &number)) {
            take_number(t, &settings[i], number);
            return;
        }
    }
    refuse(t, ORDO_MESSAGE_TUNING_WORD, (ordo_report){.s = word});
}

/* ---- What kernels need ----------------------------------------------------------------------- */

/* Arrays of workgroup memory are counted in whole 16 bytes. */
static uint32_t counted(uint32_t words) { return (words + 3) / 4 * 4; }

/* Words of lib/lane_portable. */
static uint32_t lane_words(uint32_t group) { return counted(group) + 64; }

static void check_words(tuner *t, const char *name, uint32_t words) {
    if (4 * words > t->caps->max_workgroup_bytes) {
        refuse(t, ORDO_MESSAGE_TUNING_BYTES,
               (ordo_report){.s = name, .a = 4 * words, .b = t->caps->max_workgroup_bytes});
    }
}

static void check_group(tuner *t, const char *name, uint32_t group, uint32_t least) {
    if (group < least || group > t->caps->max_invocations) {
        refuse(t, ORDO_MESSAGE_TUNING_RANGE,
               (ordo_report){.s = name, .a = group, .b = least, .c = t->caps->max_invocations});
    }
}

static void check_multiple(tuner *t, const char *name, uint32_t number, const char *of,
                           uint32_t multiple) {
    if (number % multiple) {
        refuse(t, ORDO_MESSAGE_TUNING_FIT,
               (ordo_report){.s = name, .t = of, .a = number, .b = multiple});
    }
}

/* A radix_scatter has cells for its keys, or to rank them by 257 digits. */
static void check_radix(tuner *t) {
    const ordo_tuning *tuning = t->tuning;
    uint32_t group = tuning->group_size, cells = group * tuning->radix_items;
    uint32_t ranks = group / 32 * 257 / 2 * 3;
    check_words(t, "radix_items",
                counted(cells > ranks ? cells : ranks) + counted(257) + lane_words(group));
    check_words(t, "split_items", group * tuning->split_items + 16 + lane_words(group));
}

/* A partition of so many items an invocation, in rounds. Of keys of two words these are half as
   many keys, of which each round has the same number, and msd_histogram each invocation. */
typedef struct partition {
    const char *items_name, *half_name, *rounds_name;
    uint32_t group, items, rounds;
    bool stable;
} partition;

static void check_partition(tuner *t, const partition *p) {
    const ordo_tuning *tuning = t->tuning;
    uint32_t bins = 1u << tuning->msd_digit_bits, tile = p->group * p->items;
    uint32_t cells =
        ordo_plan_cell_words(tuning->msd_digit_bits, p->group, p->group * (p->items / p->rounds),
                             p->stable ? ordo_plan_rank_words(p->group) : 0);
    check_multiple(t, p->items_name, p->items, p->rounds_name, 2 * p->rounds);
    check_multiple(t, p->half_name, tile / 2, "msd_group", tuning->msd_group);
    /* Ranks have 16 bits. */
    if (tile > UINT16_MAX) {
        refuse(
            t, ORDO_MESSAGE_TUNING_RANGE,
            (ordo_report){.s = p->items_name, .a = p->items, .b = 2, .c = UINT16_MAX / p->group});
    }
    check_words(t, p->items_name,
                counted(cells) + counted(bins + 1) + bins + (p->stable ? lane_words(p->group) : 0) +
                    ORDO_PARTITION_WORDS);
}

static void check_msd(tuner *t) {
    const ordo_tuning *tuning = t->tuning;
    uint32_t bins = 1u << tuning->msd_digit_bits;
    const partition partitions[] = {
        {"msd_items", "half of msd_group * msd_items", "twice msd_rounds", tuning->msd_group,
         tuning->msd_items, tuning->msd_rounds, false},
        {"msd_stable_items", "half of msd_stable_group * msd_stable_items",
         "twice msd_stable_rounds", tuning->msd_stable_group, tuning->msd_stable_items,
         tuning->msd_stable_rounds, true},
        {"msd_medium_items", "half of msd_group * msd_medium_items", "twice msd_medium_rounds",
         tuning->msd_group, tuning->msd_medium_items, tuning->msd_medium_rounds, false},
        {"msd_small_items", "half of msd_group * msd_small_items", "twice msd_small_rounds",
         tuning->msd_group, tuning->msd_small_items, tuning->msd_small_rounds, false},
        {"msd_small_items", "half of msd_stable_group * msd_small_items", "twice msd_small_rounds",
         tuning->msd_stable_group, tuning->msd_small_items, tuning->msd_small_rounds, true},
    };
    check_group(t, "msd_group", tuning->msd_group, bins);
    check_group(t, "msd_stable_group", tuning->msd_stable_group, bins);
    check_group(t, "msd_local_group", tuning->msd_local_group, 128);
    for (uint32_t i = 0; i < sizeof partitions / sizeof *partitions; i++) {
        check_partition(t, &partitions[i]);
    }
    /* msd_scan: a part of a table, numbers of tiles, the tile, two words. */
    check_words(t, "radix_scan_items",
                tuning->msd_group * tuning->radix_scan_items / 32 * 33 + tuning->msd_group +
                    lane_words(tuning->msd_group) + 24);
    /* msd_local: the elements, and lib/local_settle's few. */
    check_words(t, "msd_local_group", tuning->msd_local_group / 4 * 33 + 24);
}

/* An onesweep_scatter of so many items an invocation, in rounds; of keys of two words half as
   many. */
static void check_scatter(tuner *t, const char *items_name, const char *rounds_name, uint32_t items,
                          uint32_t rounds) {
    uint32_t group = t->tuning->onesweep_group;
    uint32_t cells = group * items / rounds, ranks = ordo_plan_rank_words(group);
    check_multiple(t, items_name, items, rounds_name, 2 * rounds);
    /* Ranks have 16 bits. */
    if (group * items > UINT16_MAX) {
        refuse(t, ORDO_MESSAGE_TUNING_RANGE,
               (ordo_report){.s = items_name, .a = items, .b = 2, .c = UINT16_MAX / group});
    }
    check_words(t, items_name,
                counted(cells > ranks ? cells : ranks) + 256 + lane_words(group) + 8);
}

static void check_onesweep(tuner *t) {
    const ordo_tuning *tuning = t->tuning;
    check_group(t, "onesweep_group", tuning->onesweep_group, 256);
    check_scatter(t, "onesweep_items", "twice onesweep_rounds", tuning->onesweep_items,
                  tuning->onesweep_rounds);
    check_scatter(t, "onesweep_pair_items", "twice onesweep_pair_rounds",
                  tuning->onesweep_pair_items, tuning->onesweep_pair_rounds);
    check_scatter(t, "onesweep_small_items", "twice onesweep_small_rounds",
                  tuning->onesweep_small_items, tuning->onesweep_small_rounds);
}

ordo_status ordo_tune_by_text(const ordo_caps *caps, ordo_tuning *tuning, char *message) {
    char word[WORD_BYTES];
    tuner t = {.caps = caps, .tuning = tuning, .message = message};
    const char *text = caps->tuning;
    *tuning = *ordo_tune(caps);
    while (text && next_word(&text, word)) {
        take_word(&t, word);
    }
    if (t.status == ORDO_OK && text) {
        check_radix(&t);
        check_msd(&t);
        check_onesweep(&t);
    }
    return t.status;
}

uint32_t ordo_tuning_text(const ordo_caps *caps, char *text, uint32_t capacity) {
    const ordo_caps least = {.max_workgroup_bytes = 16384, .max_invocations = 256};
    ordo_caps filled = caps ? *caps : least;
    ordo_tuning tuning;
    uint32_t length = 0;
    filled.max_workgroup_bytes =
        filled.max_workgroup_bytes ? filled.max_workgroup_bytes : least.max_workgroup_bytes;
    filled.max_invocations =
        filled.max_invocations ? filled.max_invocations : least.max_invocations;
    bool told = ordo_tune_by_text(&filled, &tuning, NULL) == ORDO_OK;
    for (uint32_t i = 0; told && i < SETTINGS; i++) {
        char digits[12];
        char *first = digits + sizeof digits - 1;
        uint32_t number = *field_of(&tuning, &settings[i]);
        *first = '\0';
        do {
            *--first = (char)('0' + number % 10);
            number /= 10;
        } while (number);
        const char *const parts[] = {length ? " " : "", settings[i].name, "=", first};
        for (uint32_t part = 0; part < 4; part++) {
            for (const char *at = parts[part]; *at; at++, length++) {
                if (length + 1 < capacity) {
                    text[length] = *at;
                }
            }
        }
    }
    if (capacity) {
        text[length < capacity ? length : capacity - 1] = '\0';
    }
    return length + 1;
}
