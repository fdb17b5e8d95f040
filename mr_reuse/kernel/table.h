/* A hash table of digests: the copies, pages and length of each. */

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
    uint64_t copies, pages, length, last; /* last: number of the last page that had it */
} Numbers;

typedef struct {
    int width;     /* of a digest */
    uint64_t seed; /* odd and random, so that no page can choose digests that collide */
    uint32_t *slots; /* 0, or the number of a row from 1 on; 2 * room of them */
    int shift;       /* of a mixed digest, to get its slot */
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

/* Remove all rows, but keep the memory for them. */
static void clear_table(Table *table)
{
    if (table->slots) memset(table->slots, 0, 2 * (size_t)table->room * sizeof *table->slots);
    table->count = 0;
}

static size_t slot_of(const Table *table, const uint8_t *key)
{
    uint64_t first;
    memcpy(&first, key, 8);
    return (first * table->seed) >> table->shift;
}

/* Return the slot of a key, or the free slot in which it belongs. Half of the slots are
   free at least, so the search ends. */
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

/* Double the room for rows. Return 0, with the table unchanged, if memory is short. */
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

/* Prefetch the slot of a key that comes 16 keys later, and the row of one 8 keys later. */
static void expect(const Table *table, const uint8_t *keys, size_t i, size_t count)
{
    enum { SLOT = 16, ROW = 8 };
    if (i + SLOT < count)
        __builtin_prefetch(table->slots + slot_of(table, keys + (i + SLOT) * table->width));
    if (i + ROW < count) {
        uint32_t row = table->slots[slot_of(table, keys + (i + ROW) * table->width)];
        if (!row) return;
        __builtin_prefetch(table->keys + (size_t)(row - 1) * table->width);
        __builtin_prefetch(table->numbers + row - 1);
    }
}

/* Count the chunks of a page. Return 0 if memory is short. */
static int count_page(Table *table, const uint8_t *keys, const uint8_t *lengths,
                      size_t count)
{
    table->page++;
    for (size_t i = 0; i < count; i++) {
        if (table->count == table->room && !grow(table)) return 0;
        const uint8_t *key = keys + i * table->width;
        expect(table, keys, i, count);
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

/* Return the partition of a key: its first bits, 16 at most. */
static uint32_t part_of(const uint8_t *key, int bits)
{
    return (uint32_t)(key[0] << 8 | key[1]) >> (16 - bits);
}

/* Sort the rows by partition (a counting sort). `sizes` gets the number of rows of each. */
static void sort_by_part(const Table *table, int bits, uint32_t *sizes, uint32_t *order)
{
    size_t parts = (size_t)1 << bits, width = table->width;
    memset(sizes, 0, parts * sizeof *sizes);
    for (size_t row = 0; row < table->count; row++)
        sizes[part_of(table->keys + row * width, bits)]++;
    uint32_t end = 0;
    for (size_t part = 0; part < parts; part++) {
        uint32_t size = sizes[part];
        sizes[part] = end; /* for now: the position of its next row */
        end += size;
    }
    for (size_t row = 0; row < table->count; row++)
        order[sizes[part_of(table->keys + row * width, bits)]++] = row;
    for (size_t part = parts; --part;) sizes[part] -= sizes[part - 1];
}

#endif
