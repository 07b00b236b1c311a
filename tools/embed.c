/* SPDX-License-Identifier: MIT */
/*
 * embed.c: turn kernels/ into tables of C and JavaScript, and hold the WGSL to the house rules.
 *
 *     embed ROOT C_FILE JS_FILE      reads ROOT/kernels, writes both files
 *
 * Texts go in as they are, so that line numbers in a compiler's message lead back to the file.
 * Exit 1, with FILE:LINE: RULE on stderr, if a rule is broken: nothing is written then.
 */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FILES 64
#define MAX_USES 12

typedef struct source {
    char name[64];
    char path[512];
    char uses[MAX_USES][64];
    int use_count;
    char *text;
} source;

/* What the rules forbid in any kernel, and why. */
static const struct {
    const char *words, *why;
} forbidden[] = {
    {"enable ", "the host adds enable directives where the implementation wants them"},
    {"ptr<workgroup", "naga refuses pointer parameters to workgroup memory"},
    {"ptr<storage", "naga refuses pointer parameters to storage memory"},
    {"countLeadingZeros", "a slow polyfill in Dawn; use countOneBits"},
    {"countTrailingZeros", "a slow polyfill in Dawn; use countOneBits"},
    {"firstLeadingBit", "a slow polyfill in Dawn; use countOneBits"},
    {"firstTrailingBit", "a slow polyfill in Dawn; use countOneBits"},
    {"extractBits", "a slow polyfill in Dawn; shift and mask"},
    {"var<storage>", "write the access: read for the count, read_write for all else"},
    {"array<f32", "memory is bits: u32 only"},
    {"array<i32", "memory is bits: u32 only"},
};

static bool broken;

static void complain(const source *file, int line, const char *what, const char *why) {
    fprintf(stderr, "%s:%d: %s: %s\n", file->path, line, what, why);
    broken = true;
}

static void fail(const char *path, const char *what) {
    fprintf(stderr, "embed: %s: %s\n", path, what);
    exit(2);
}

static char *read_text(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) {
        fail(path, "cannot read");
    }
    long length = ftell(file);
    rewind(file);
    char *text = malloc((size_t)length + 1);
    if (!text || fread(text, 1, (size_t)length, file) != (size_t)length) {
        fail(path, "cannot read");
    }
    fclose(file);
    text[length] = '\0';
    return text;
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const source *)a)->name, ((const source *)b)->name);
}

/* Read every .wgsl of a folder, sorted by name. */
static int read_folder(const char *folder, source *files) {
    DIR *dir = opendir(folder);
    int count = 0;
    if (!dir) {
        fail(folder, "cannot open");
    }
    for (struct dirent *entry; (entry = readdir(dir));) {
        size_t length = strlen(entry->d_name);
        if (length < 6 || strcmp(entry->d_name + length - 5, ".wgsl") != 0) {
            continue;
        }
        if (count == MAX_FILES || length >= sizeof files->name) {
            fail(entry->d_name, "too many files, or too long a name");
        }
        source *file = &files[count++];
        memset(file, 0, sizeof *file);
        memcpy(file->name, entry->d_name, length - 5);
        snprintf(file->path, sizeof file->path, "%s/%s", folder, entry->d_name);
        file->text = read_text(file->path);
    }
    closedir(dir);
    qsort(files, (size_t)count, sizeof *files, by_name);
    return count;
}

/* Take the names behind `//@use`. */
static void read_uses(source *file, int line, const char *names) {
    char copy[1024];
    snprintf(copy, sizeof copy, "%s", names);
    for (char *name = strtok(copy, " "); name; name = strtok(NULL, " ")) {
        if (file->use_count == MAX_USES) {
            complain(file, line, name, "too many snippets");
            return;
        }
        snprintf(file->uses[file->use_count++], sizeof file->uses[0], "%s", name);
    }
}

/* Whether words stand in the line before its comment. */
static bool in_code(const char *text, const char *words) {
    const char *at = strstr(text, words), *comment = strstr(text, "//");
    return at && (!comment || at < comment);
}

/* The rules that one line can break. */
static void check_line(source *file, int line, const char *text, bool *loop_follows) {
    char head[80];
    if (line == 1) {
        snprintf(head, sizeof head, "// %s: ", file->name);
        if (strncmp(text, head, strlen(head)) != 0) {
            complain(file, line, head, "a file opens with its name and purpose");
        }
    }
    if (strncmp(text, "//@use ", 7) == 0) {
        read_uses(file, line, text + 7);
    }
    for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++) {
        if (in_code(text, forbidden[i].words)) {
            complain(file, line, forbidden[i].words, forbidden[i].why);
        }
    }
    if (in_code(text, ": f32") && strncmp(text, "fn ", 3) != 0) {
        complain(file, line, ": f32",
                 "floats are combined through bitcast and never compared: only callers' shaders "
                 "pass them, to functions");
    }
    const char *builtin = strstr(text, "subgroup");
    if (builtin && builtin[8] >= 'A' && builtin[8] <= 'Z' && !strstr(file->name, "_subgroup")) {
        complain(file, line, "subgroup builtin", "only snippets named _subgroup call them");
    }
    if (strstr(text, "//@unroll")) {
        *loop_follows = true;
    } else if (*loop_follows) {
        const char *loop = text + strspn(text, " ");
        if (strcmp(loop, "for (var i = 0u; i < ITEMS; i++) {") != 0 &&
            strcmp(loop, "for (var i = 0u; i < ITEMS / 2u; i++) {") != 0) {
            complain(file, line, text, "after //@unroll comes a loop of i to ITEMS or ITEMS / 2u");
        }
        *loop_follows = false;
    }
    const char *length = strncmp(text, "var<workgroup>", 14) == 0 ? strrchr(text, ',') : NULL;
    if (length && strpbrk(length, "+-*/")) {
        complain(file, line, "computed length",
                 "naga 29 panics: use a constant or one override, "
                 "declared before all others");
    }
    if (strstr(text, "\t") || (text[0] && text[strlen(text) - 1] == ' ')) {
        complain(file, line, "white space", "no tabs, no blanks at the end of a line");
    }
}

/* Entry points carry the name of their file, so that grep finds all of a kernel. */
static void check_entry(const source *file, int line, const char *text, bool *entry_follows) {
    if (*entry_follows && strncmp(text, "fn ", 3) == 0) {
        if (strncmp(text + 3, file->name, strlen(file->name)) != 0) {
            complain(file, line, text, "an entry point's name begins with its file's");
        }
        *entry_follows = false;
    }
    if (strncmp(text, "@compute", 8) == 0) {
        *entry_follows = true;
    }
}

static void check(source *file) {
    int line = 0;
    bool entry_follows = false, loop_follows = false;
    char buffer[1024];
    for (const char *at = file->text; *at; line++) {
        size_t length = strcspn(at, "\n");
        if (length >= sizeof buffer) {
            complain(file, line + 1, "line", "too long");
            return;
        }
        memcpy(buffer, at, length);
        buffer[length] = '\0';
        check_line(file, line + 1, buffer, &loop_follows);
        check_entry(file, line + 1, buffer, &entry_follows);
        at += length + (at[length] == '\n');
    }
}

static void check_uses(const source *file, const source *snippets, int snippet_count) {
    static const char *const tiers[] = {"", "_portable", "_subgroup"};
    for (int i = 0; i < file->use_count; i++) {
        int found[3] = {0};
        for (int j = 0; j < snippet_count; j++) {
            for (int t = 0; t < 3; t++) {
                char name[96];
                snprintf(name, sizeof name, "%s%s", file->uses[i], tiers[t]);
                found[t] += strcmp(name, snippets[j].name) == 0;
            }
        }
        if (!found[0] && !(found[1] && found[2])) {
            complain(file, 1, file->uses[i], "no such snippet in kernels/lib, of no or both tiers");
        }
    }
}

/* Write text as string literals, one a line, with `join` between them and `end` after the last. */
static void write_text(FILE *out, const char *text, const char *join, const char *end) {
    while (*text) {
        size_t length = strcspn(text, "\n");
        fputs("        \"", out);
        for (size_t i = 0; i < length; i++) {
            if (text[i] == '"' || text[i] == '\\') {
                fputc('\\', out);
            }
            fputc(text[i], out);
        }
        text += length + (text[length] == '\n');
        fprintf(out, "\\n\"%s\n", *text ? join : end);
    }
}

/* C promises strings of 4,095 characters only, so a text is an array of lines. */
static void write_c_table(FILE *out, const char *name, const source *files, int count) {
    for (int i = 0; i < count; i++) {
        fprintf(out, "\nstatic const char *const %s_lines[] = {\n", files[i].name);
        write_text(out, files[i].text, ",", ",");
        fputs("        0,\n};\n", out);
    }
    fprintf(out, "\nconst ordo_kernel %s[] = {\n", name);
    for (int i = 0; i < count; i++) {
        fprintf(out, "    {\"%s\", {", files[i].name);
        for (int j = 0; j < files[i].use_count; j++) {
            fprintf(out, "%s\"%s\"", j ? ", " : "", files[i].uses[j]);
        }
        fprintf(out, "%s}, %s_lines},\n", files[i].use_count ? "" : "0", files[i].name);
    }
    fputs("    {0, {0}, 0},\n};\n", out);
}

static void write_js_table(FILE *out, const char *name, const source *files, int count) {
    fprintf(out, "\nexport const %s = {\n", name);
    for (int i = 0; i < count; i++) {
        fprintf(out, "    %s: {\n        uses: [", files[i].name);
        for (int j = 0; j < files[i].use_count; j++) {
            fprintf(out, "%s\"%s\"", j ? ", " : "", files[i].uses[j]);
        }
        fputs("],\n        text:\n", out);
        write_text(out, files[i].text, " +", "");
        fputs("    },\n", out);
    }
    fputs("};\n", out);
}

static FILE *open_output(const char *path) {
    FILE *out = fopen(path, "wb");
    if (!out) {
        fail(path, "cannot write");
    }
    return out;
}

static void close_output(FILE *out, const char *path) {
    if (fclose(out) != 0) {
        fail(path, "cannot write");
    }
}

int main(int argc, char **argv) {
    static source kernels[MAX_FILES], snippets[MAX_FILES];
    char folder[400];
    if (argc != 4) {
        fail("usage", "embed ROOT C_FILE JS_FILE");
    }
    snprintf(folder, sizeof folder, "%s/kernels", argv[1]);
    int kernel_count = read_folder(folder, kernels);
    snprintf(folder, sizeof folder, "%s/kernels/lib", argv[1]);
    int snippet_count = read_folder(folder, snippets);
    for (int i = 0; i < kernel_count; i++) {
        check(&kernels[i]);
        check_uses(&kernels[i], snippets, snippet_count);
    }
    for (int i = 0; i < snippet_count; i++) {
        check(&snippets[i]);
    }
    if (broken) {
        return 1;
    }
    FILE *c = open_output(argv[2]);
    fputs("/* SPDX-License-Identifier: MIT */\n/* Generated from kernels/ by tools/embed.c: edit "
          "those, "
          "then `./dev build`. */\n#include \"kernels.h\"\n",
          c);
    write_c_table(c, "ordo_kernels", kernels, kernel_count);
    write_c_table(c, "ordo_snippets", snippets, snippet_count);
    close_output(c, argv[2]);
    FILE *js = open_output(argv[3]);
    fputs(
        "// SPDX-License-Identifier: MIT\n// Generated from kernels/ by tools/embed.c: edit those, "
        "then `./dev build`.\n",
        js);
    write_js_table(js, "kernels", kernels, kernel_count);
    write_js_table(js, "snippets", snippets, snippet_count);
    close_output(js, argv[3]);
    for (int i = 0; i < kernel_count; i++) {
        free(kernels[i].text);
    }
    for (int i = 0; i < snippet_count; i++) {
        free(snippets[i].text);
    }
    return 0;
}
