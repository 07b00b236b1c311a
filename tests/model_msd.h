/* SPDX-License-Identifier: MIT */
/*
 * model_msd.h: what the levels of a sort from the most significant digit down publish, as
 * kernels/lib/msd.wgsl and msd_partition.wgsl say it, for children of any sizes.
 *
 * A source says how the keys of a bucket spread over its digits. From that follow the items and,
 * level by level, the buckets with their records, tiles and tables; the order in which a device
 * publishes them does not change their sums.
 */
#ifndef ORDO_TESTS_MODEL_MSD_H
#define ORDO_TESTS_MODEL_MSD_H

#include "msd_form.h"
#include "step_number.h"

enum { MSD_LEVELS = 16, MSD_RECORD_WORDS = 5 };

/* The numbers of a plan that the kernels go by: params of the same names. */
typedef struct msd_shape {
    uint64_t tile_items, last_level, key_bits, digit_bits, item_count, filled_count, root_bits;
    bool fixed_root; /* the root may have fixed-point digits */
} msd_shape;

/* What is in the lists. */
typedef struct msd_lists {
    uint64_t items, keys_in_items;
    uint64_t largest_item;             /* keys */
    uint64_t lost;                     /* keys of buckets after the last level; 0, or it is wrong */
    uint64_t buckets[MSD_LEVELS];      /* the root is not counted */
    uint64_t record_words[MSD_LEVELS]; /* of buckets of a level, from the second on */
    uint64_t tiles[MSD_LEVELS];
    uint64_t table_words[MSD_LEVELS];
} msd_lists;

/* Keys [start, start + size) and their digit: so many bits of the image less `base`, from bit
   `shift` on; or if there is a form, that of fixed-point numbers. */
typedef struct msd_bucket {
    uint64_t start, size, base;
    uint32_t level, shift, bits;
    const msd_form *form;
} msd_bucket;

/* Fills the sizes of the bucket's children, 1 << bits of them. */
typedef void msd_source(void *from, const msd_bucket *bucket, uint64_t *children);

static inline uint64_t msd_div_ceil(uint64_t a, uint64_t b) { return (a + b - 1) / b; }

static inline msd_shape msd_shape_of(const ordo_step *begin) {
    msd_shape shape = {0};
    const struct {
        const char *name;
        uint64_t *value;
    } fields[] = {{"tile_items", &shape.tile_items}, {"last_level", &shape.last_level},
                  {"key_bits", &shape.key_bits},     {"digit_bits", &shape.digit_bits},
                  {"item_count", &shape.item_count}, {"filled_count", &shape.filled_count},
                  {"root_bits", &shape.root_bits}};
    for (uint32_t f = 0; f < sizeof fields / sizeof *fields; f++) {
        *fields[f].value = step_param(begin, fields[f].name);
        assert(*fields[f].value || f == 1);
    }
    shape.fixed_root = step_constant(begin, "FIXED_ROOT") != 0;
    return shape;
}

/* record_bits of lib/msd.wgsl. */
static inline uint32_t msd_record_bits(const msd_shape *s, uint64_t size, uint32_t left,
                                       uint32_t level) {
    uint32_t bits = 1, most = left < s->digit_bits ? left : (uint32_t)s->digit_bits;
    uint32_t share = (uint32_t)msd_div_ceil(left, s->last_level - level + 1);
    while (bits < 32 && size >> bits >= s->filled_count)
        bits++;
    bool just_enough = s->last_level * s->digit_bits < s->key_bits;
    if ((level >= 2 || just_enough) && bits < share)
        bits = share;
    /* Of a wide child of fixed-point digits. */
    if (left + (s->digit_bits < 7 ? s->digit_bits : 7) > s->key_bits)
        bits = (uint32_t)s->digit_bits;
    return bits < most ? bits : most;
}

static inline void msd_add_item(msd_lists *lists, uint64_t size) {
    lists->items++;
    lists->keys_in_items += size;
    if (size > lists->largest_item)
        lists->largest_item = size;
}

static inline void msd_publish(const msd_shape *s, msd_source *source, void *from,
                               const msd_bucket *bucket, msd_lists *lists);

/* A child too large for an item: cut if its keys are equal, else a bucket of the next level. Below
   fixed-point digits the keys of a child are those from one image to another. */
static inline void msd_publish_large(const msd_shape *s, msd_source *source, void *from,
                                     const msd_bucket *parent, uint32_t digit, uint64_t start,
                                     uint64_t size, msd_lists *lists) {
    uint64_t base = parent->base;
    uint32_t left = parent->shift, level = parent->level + 1;
    if (parent->form) {
        base = msd_form_least(parent->form, digit);
        uint64_t span = msd_form_least(parent->form, digit + 1) - 1 - base;
        for (left = 0; span >> left;)
            left++;
    }
    if (left == 0) {
        for (uint64_t done = 0; done < size; done += s->item_count)
            msd_add_item(lists, size - done < s->item_count ? size - done : s->item_count);
    } else if (level > s->last_level) {
        lists->lost += size;
    } else {
        uint32_t bits = msd_record_bits(s, size, left, level);
        uint64_t tiles = msd_div_ceil(size, s->tile_items);
        assert(level < MSD_LEVELS);
        lists->buckets[level]++;
        lists->record_words[level] += MSD_RECORD_WORDS + s->fixed_root + ((uint64_t)2 << bits);
        lists->tiles[level] += tiles;
        lists->table_words[level] += tiles << bits;
        const msd_bucket child = {.start = start,
                                  .size = size,
                                  .base = base,
                                  .level = level,
                                  .shift = left - bits,
                                  .bits = bits};
        msd_publish(s, source, from, &child, lists);
    }
}

/* The children of a bucket. Small ones share an item if no other lies between them and they start
   in the same stretch of half an item. */
static inline void msd_publish(const msd_shape *s, msd_source *source, void *from,
                               const msd_bucket *bucket, msd_lists *lists) {
    uint64_t children[1 << 8] = {0}, stretch = s->item_count / 2, shared = 0, run = 0, done = 0;
    assert(bucket->bits <= 8);
    source(from, bucket, children);
    for (uint32_t digit = 0; digit < 1u << bucket->bits; done += children[digit++]) {
        uint64_t child = children[digit], own = done / stretch;
        if (child > stretch || own != run) {
            if (shared)
                msd_add_item(lists, shared);
            shared = 0;
            run = own;
        }
        if (child > s->item_count)
            msd_publish_large(s, source, from, bucket, digit, bucket->start + done, child, lists);
        else if (child > stretch)
            msd_add_item(lists, child);
        else
            shared += child;
    }
    if (shared)
        msd_add_item(lists, shared);
    assert(done == bucket->size);
}

/* All that the keys of this bucket publish: a sample of them may choose the root's digit. */
static inline void msd_publish_root(const msd_shape *s, msd_source *source, void *from,
                                    const msd_bucket *root, msd_lists *lists) {
    memset(lists, 0, sizeof *lists);
    if (root->size)
        msd_publish(s, source, from, root, lists);
}

/* The root with the plan's digit. */
static inline msd_bucket msd_planned_root(const msd_shape *s, uint64_t count) {
    return (msd_bucket){.size = count,
                        .shift = (uint32_t)(s->key_bits - s->root_bits),
                        .bits = (uint32_t)s->root_bits};
}

#endif
