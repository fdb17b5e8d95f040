/* What differs in `floor16`: messages wait until a megabyte is inflated, and are then hashed
   side by side, as the kernel of mr_reuse does. Included by floor.c. */

static void add_message(Worker *worker, const uint8_t *data, size_t length, int is_file)
{
    if (worker->count == worker->room) {
        worker->room = worker->room ? 2 * worker->room : 8192;
        worker->messages = realloc(worker->messages,
                                   worker->room * sizeof *worker->messages);
        worker->order = realloc(worker->order, worker->room * sizeof *worker->order);
        worker->digests = realloc(worker->digests, worker->room * SHA1);
        worker->are_files = realloc(worker->are_files, worker->room);
        if (!worker->messages || !worker->order || !worker->digests
            || !worker->are_files)
            fail("no memory", "messages");
    }
    worker->messages[worker->count] = (Message){data, length};
    worker->are_files[worker->count++] = is_file;
}

static void add_chunk(Worker *worker, const uint8_t *data, size_t length)
{
    worker->pieces++;
    add_message(worker, data, length, 0);
}

static void add_file(Worker *worker, const uint8_t *data, size_t length)
{
    add_message(worker, data, length, 1);
}

/* Hash and count all messages; the buffer is free then. */
static void finish_messages(Worker *worker)
{
    enum { AHEAD = 16 };
    hash_all(SHA1, worker->messages, worker->count, worker->order, worker->digests);
    for (size_t i = 0; i < worker->count; i++) {
        const uint8_t *digest = worker->digests + i * SHA1;
        const uint8_t *later = digest + AHEAD * SHA1;
        if (i + AHEAD < worker->count) {
            const Table *next = &worker->chunks[partition(later)];
            __builtin_prefetch(&next->slots[home(next, later)]);
        }
        Entry entry = {.length = worker->messages[i].length, .copies = 1};
        memcpy(entry.digest, digest, SHA1);
        Table *tables = worker->are_files[i] ? worker->files : worker->chunks;
        table_add(&tables[partition(digest)], &entry);
    }
    worker->count = worker->held = 0;
}

/* Make space for a member: what is held is finished at a megabyte. */
static void make_space(Worker *worker)
{
    if (worker->held >= HELD) finish_messages(worker);
}

static uint8_t *space(Worker *worker) { return worker->buffer + worker->held; }
static size_t space_size(Worker *worker) { return worker->capacity - worker->held; }
static void hold(Worker *worker, size_t size) { worker->held += size; }
