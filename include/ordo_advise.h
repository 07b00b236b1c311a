/* SPDX-License-Identifier: MIT */
/*
 * ordo_advise.h: before you sort, ask what the order is for.
 *
 * Sorting is nearly always a means, and what it is for often takes less. Two questions tell: how
 * many different keys are there, or how many of their bits differ; and is a total order needed, or
 * like things together, or the best k, or counts, or neighbours in space? ordo_advise takes the
 * answers, plans every primitive that could serve, prices each plan by the library's model, and
 * puts the best first, as a desc that is ready for ordo_*_plan or ordo_*_steps.
 *
 *     ordo_question question = {.need = ORDO_NEED_BEST, .k = 100, .order = ORDO_DESCENDING,
 *                               .max_count = 1 << 24};     the 100 largest of 16 million
 *     ordo_advice advice;
 *     if (ordo_advise(NULL, &question, &advice) == ORDO_OK && advice.fits)
 *         puts(advice.options[0].why);
 *
 * As the planners it is pure: no GPU, no allocation, no state, any thread.
 */
#ifndef ORDO_ADVISE_H
#define ORDO_ADVISE_H

#include "ordo_plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the elements are needed for. */
typedef enum ordo_need {
    ORDO_NEED_ORDER = 0,      /* all of them, in order */
    ORDO_NEED_GROUPS = 1,     /* those of equal key together, whichever group comes first */
    ORDO_NEED_BEST = 2,       /* the k first of the order */
    ORDO_NEED_COUNTS = 3,     /* how many of each key, or of each range of keys */
    ORDO_NEED_NEIGHBOURS = 4, /* points that are near each other in space */
} ordo_need;

/*
 * The question. Zero is the default of every field, and stands for "unknown" where more knowledge
 * would allow more. A field that has no meaning for the need must be 0.
 */
typedef struct ordo_question {
    ordo_need need;        /* default ORDO_NEED_ORDER */
    uint64_t max_count;    /* elements, or points; as in ordo_sort_desc */
    uint64_t memory_bytes; /* scratch that there is room for; 0 (default): no limit but the caps */

    /* Of all needs but neighbours: */
    ordo_type key;             /* default ORDO_U32 */
    ordo_order order;          /* default ORDO_ASCENDING. Best are the first in this order: by
                                  default the least. */
    uint32_t value_bytes;      /* what goes with each key, as in ordo_sort_desc; not of counts */
    bool argsort;              /* true: indices are wanted instead; not of counts */
    bool allow_unstable;       /* as in ordo_sort_desc; not of counts */
    uint32_t skip_low_bits;    /* so many low bits of the keys' images are the same in all keys, */
    uint32_t significant_bits; /* above them so many differ, and the rest are the same; 0 (default):
                                  all may differ. The image is the key itself if it is unsigned,
                                  else see ordo_plan.h. */
    uint64_t key_limit;        /* not 0: keys are ORDO_U32, and each is below this */
    uint64_t distinct_count;   /* not 0: there are so many different keys, or fewer */
    uint32_t row_length;       /* as in ordo_sort_desc; of order and best */
    bool in_place;             /* true: results replace the inputs; of order and groups */
    bool sorted;               /* true: the elements are in this order already; not of counts */

    uint32_t k;         /* of best: how many, at least 1 */
    uint32_t bin_count; /* of counts: not 0: counts of so many ranges of equal width from lo to hi
                           are enough, as ORDO_BINS_EVEN of ordo_histogram_desc has them */
    double lo, hi;

    /* Of neighbours: points of `dimensions` f32, tightly packed. */
    uint32_t dimensions;      /* 2 or 3; 0 (default): 3 */
    float radius;             /* how near a neighbour is: the cell size, from 1e-28 to 1e28 */
    float lower[3], upper[3]; /* the box that holds the points: finite, and no lower above its
                                 upper; all equal (default): unknown */
} ordo_question;

typedef enum ordo_primitive {
    ORDO_PRIMITIVE_NONE = 0, /* nothing is to be done */
    ORDO_PRIMITIVE_SORT = 1,
    ORDO_PRIMITIVE_COUNTING_SORT = 2,
    ORDO_PRIMITIVE_HISTOGRAM = 3,
    ORDO_PRIMITIVE_GRID = 4,
    ORDO_PRIMITIVE_TOP_K = 5,
} ordo_primitive;

/* "sort", "counting sort" …; "unknown primitive" for any other number. Never NULL, static. */
ORDO_API const char *ordo_primitive_name(ordo_primitive primitive);

/* One way to serve the need. */
typedef struct ordo_option {
    ordo_primitive primitive; /* the member of desc that is meant; of NONE there is none */
    union {
        ordo_sort_desc sort; /* with its method, so that the plan is the one that was priced */
        ordo_counting_sort_desc counting_sort;
        ordo_histogram_desc histogram;
        ordo_grid_desc grid;
        ordo_top_k_desc top_k;
    } desc;
    bool fits;            /* the device's limits and memory_bytes allow it */
    ordo_summary summary; /* of the plan: steps, scratch_bytes, moved_bytes, modelled_ns. Where
                             only the device's bindings or buffers are too small, the plan is that
                             of a device with larger ones, and the message is the planner's, which
                             tells the limit to request. Where the planner refuses it anyway, only
                             its message: step_count is 0. */
    const char *why;      /* what it does for the need, or what keeps it from fitting: a sentence.
                             Never NULL, static. */
} ordo_option;

#define ORDO_MAX_OPTIONS 8

typedef struct ordo_advice {
    bool fits;             /* options[0] can be used; false: nothing can, see each option */
    uint32_t option_count; /* at least 1 after ORDO_OK */
    /* Those that fit first, then those that larger bindings or buffers would let fit, each by
       modelled_ns; but before the fastest sort a histogram or a grid that fits as well, and
       a counting sort that takes at most a third longer: each tells more. */
    ordo_option options[ORDO_MAX_OPTIONS];
    char message[ORDO_MESSAGE_BYTES]; /* "" after ORDO_OK; else what is wrong */
} ordo_advice;

/*
 * Answer a question. caps: the device, NULL: WebGPU's guaranteed defaults. question, advice: not
 * NULL; advice is always written whole.
 *
 * The modelled time is that of the plan at max_count on an H200, fitted to measurements of
 * docs/performance.md: other devices are slower, but rank options much the same. It leaves out
 * what the caller adds: a gather by indices, bucket numbers made of other keys.
 *
 * ORDO_OK also where no option fits: advice->fits tells. ORDO_INVALID: the question contradicts
 * itself, or a planner found one of its fields wrong.
 */
ORDO_API ordo_status ordo_advise(const ordo_caps *caps, const ordo_question *question,
                                 ordo_advice *advice);

#ifdef __cplusplus
}
#endif
#endif
