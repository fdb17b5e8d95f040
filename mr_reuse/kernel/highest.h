/* The least values of phrases by rows of highest bytes, as in text/pure_shingles.py. */

enum { ROWS = 256 }; /* so many fit into the first cache */

/* Set the row of each phrase. */
static void make_rows(const Shingler *s, const uint64_t *phrases, size_t count, Row *rows)
{
    for (size_t i = 0; i < count; i++) {
        const uint64_t *parts[8];
        for (int place = 0; place < 8; place++)
            parts[place] = s->highest[place][phrases[i] >> 8 * place & 255].words;
        for (int j = 0; j < WIDTH / 8; j++)
            rows[i].words[j] = parts[0][j] ^ parts[1][j] ^ parts[2][j] ^ parts[3][j]
                               ^ parts[4][j] ^ parts[5][j] ^ parts[6][j] ^ parts[7][j];
    }
}

/* Lower each byte to the least of the rows. */
static void lower_bytes(const Row *restrict rows, size_t count, Row *restrict least)
{
    for (size_t i = 0; i < count; i++)
        for (int j = 0; j < WIDTH; j++) { /* without a branch, for vectors */
            uint8_t byte = rows[i].bytes[j], other = least->bytes[j];
            least->bytes[j] = byte < other ? byte : other;
        }
}

static inline int has_equal(const Row *row, const Row *other)
{
    uint8_t found = 0;
    for (int j = 0; j < WIDTH; j++) found |= row->bytes[j] == other->bytes[j] ? 255 : 0;
    return found;
}

/* Offer a phrase to the functions whose least byte it has. */
static inline void offer_equal(Shingler *s, const Row *row, const Row *least,
                               uint64_t phrase)
{
    for (int f = 0; f < WIDTH; f += 8) {
        uint64_t other = load_block(row->bytes + f) ^ load_block(least->bytes + f);
        uint64_t equal = ~(((other & EACH(0x7F)) + EACH(0x7F)) | other) & EACH(0x80);
        for (; equal; equal &= equal - 1) {
            int function = f + (__builtin_ctzll(equal) >> 3);
            if (!is_known(s, function, phrase))
                offer_value(s, function, value_of(s, function, phrase), phrase);
        }
    }
}

static void offer_rows(Shingler *s, const uint64_t *phrases, size_t count)
{
    Row rows[ROWS], least;
    make_rows(s, phrases, count, rows);
    memset(&least, 0, sizeof least);
    for (int f = 0; f < FUNCTIONS; f++) least.bytes[f] = s->values[f] >> 56;
    lower_bytes(rows, count, &least);
    memset(least.bytes + FUNCTIONS, 1, WIDTH - FUNCTIONS); /* no row has these */
    for (size_t i = 0; i < count; i++)
        if (has_equal(rows + i, &least)) offer_equal(s, rows + i, &least, phrases[i]);
}

static void offer_plain(Shingler *s, const uint64_t *phrases, size_t count)
{
    for (size_t at = 0; at < count; at += ROWS) {
        size_t left = count - at;
        offer_rows(s, phrases + at, left < ROWS ? left : ROWS);
    }
}
