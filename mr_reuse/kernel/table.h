/* A hash table of digests: how often each came, on how many pages, how long it is. */

#ifndef TABLE_H
#define TABLE_H
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifndef FIRST_ROOM
#define FIRST_ROOM 4096 /* rows */
#endif

typedef struct {
    uint64_t copies, pages, length, last; /* the last page that had it */
} Numbers;

typedef struct {
    int width;     /* of a digest */
    uint64_t seed; /* odd; nobody can choose digests that all meet in one place */
    uint32_t *slots; /* rows, from 1 on; twice as many as there is room for */
    int shift;       /* from a mixed digest to its slot */
    uint8_t *keys;
    Numbers *numbers;
    uint32_t count, room;
    uint64_t page;
} Table;

static void free_table(Table *table)
{
    free(table->slots);
    free(table->keys);
    free(table->numbers);
    *table = (Table){.width = table->width, .seed = table->seed, .page = table->page};
}

static size_t slot_of(const Table *table, const uint8_t *key)
{
    uint64_t first;
    memcpy(&first, key, 8);
    return (first * table->seed) >> table->shift;
}

/* The slot that has a key, or the free one where it belongs. */
static uint32_t *slot_for(const Table *table, const uint8_t *key)
{
    size_t at = slot_of(table, key), last = 2 * (size_t)table->room - 1;
    for (;; at = at == last ? 0 : at + 1) {
        uint32_t row = table->slots[at];
        if (!row || !memcmp(table->keys + (size_t)(row - 1) * table->width, key,
                            table->width))
            return table->slots + at;
    }
}

/* Make room for more rows; 0, and nothing changed, if there is no memory. */
static int grow(Table *table)
{
    uint32_t room = table->room ? 2 * table->room : FIRST_ROOM;
    if (!room || room > UINT32_MAX / 4) return 0;
    uint32_t *slots = calloc(2 * (size_t)room, sizeof *slots);
    uint8_t *keys = realloc(table->keys, (size_t)room * table->width);
    if (keys) table->keys = keys;
    Numbers *numbers = realloc(table->numbers, room * sizeof *numbers);
    if (numbers) table->numbers = numbers;
    if (!slots || !keys || !numbers) {
        free(slots);
        return 0;
    }
    free(table->slots);
    table->slots = slots;
    table->room = room;
    table->shift = 63;
    while (room >>= 1) table->shift--;
    for (uint32_t row = 0; row < table->count; row++)
        *slot_for(table, table->keys + (size_t)row * table->width) = row + 1;
    return 1;
}

/* Count the chunks of a page; 0 if there is no memory. */
static int count_page(Table *table, const uint8_t *keys, const uint8_t *lengths,
                      size_t count)
{
    enum { AHEAD = 8 };
    table->page++;
    for (size_t i = 0; i < count; i++) {
        if (table->count == table->room && !grow(table)) return 0;
        const uint8_t *key = keys + i * table->width;
        if (i + AHEAD < count)
            __builtin_prefetch(table->slots + slot_of(table, key + AHEAD * table->width));
        uint32_t *slot = slot_for(table, key);
        Numbers *numbers = table->numbers + *slot - 1;
        if (!*slot) {
            memcpy(table->keys + (size_t)table->count * table->width, key, table->width);
            numbers = table->numbers + table->count;
            *numbers = (Numbers){0};
            uint32_t length;
            memcpy(&length, lengths + 4 * i, 4);
            numbers->length = length;
            *slot = ++table->count;
        }
        numbers->copies++;
        numbers->pages += numbers->last != table->page;
        numbers->last = table->page;
    }
    return 1;
}

#endif
