/* The reader of the floors: inflates the gzip members of WARC archives (libdeflate, which
   checks their CRCs), and passes on the body of each page. Two threads take the archives
   one after the other.

   A floor defines before: `Worker`, of which a thread has one, with `buffer`, `capacity`
   and `inflater`; `workers`, `archives` and `add_page`; and which part of the buffer is
   free: `make_space`, `space`, `space_size`, `hold` and `finish_messages`.

   Bodies that are compressed or chunked inside their record are refused: a floor must not
   do less work than the others without saying so. */

/* -- WARC and HTTP ------------------------------------------------------- */

/* Return the value of a header in a head that ends with an empty line. */
static const char *header(const char *head, const char *end, const char *name)
{
    size_t length = strlen(name);
    while ((head = memchr(head, '\n', end - head)) && ++head + length < end)
        if (!strncasecmp(head, name, length) && head[length] == ':') {
            head += length + 1;
            return head + strspn(head, " \t");
        }
    return NULL;
}

static const char *head_end(const char *data, const char *end)
{
    const char *found = memmem(data, end - data, "\r\n\r\n", 4);
    return found ? found + 4 : NULL;
}

static void add_record(Worker *worker, const char *type, const char *block,
                      const char *end, const char *name)
{
    if (!strncmp(type, "response", 8)) {
        const char *body = head_end(block, end);
        if (!body) fail("a response without a head", name);
        if (header(block, body, "Content-Encoding")
            || header(block, body, "Transfer-Encoding"))
            fail("an encoded body; the floor reads plain ones only", name);
        add_page(worker, (const uint8_t *)body, end - body);
    } else if (!strncmp(type, "resource", 8) || !strncmp(type, "conversion", 10)) {
        add_page(worker, (const uint8_t *)block, end - block);
    }
}

static void add_records(Worker *worker, const char *data, size_t size, const char *name)
{
    const char *end = data + size;
    while (data < end) {
        const char *block = head_end(data, end), *length, *type;
        if (!block || strncmp(data, "WARC/", 5)) fail("not a WARC record", name);
        length = header(data, block, "Content-Length");
        type = header(data, block, "WARC-Type");
        if (!length || !type) fail("a record without length or type", name);
        size_t bytes = strtoull(length, NULL, 10);
        if (bytes > (size_t)(end - block)) fail("a record is cut", name);
        add_record(worker, type, block, block + bytes, name);
        data = block + bytes;
        while (data < end && (*data == '\r' || *data == '\n')) data++;
    }
}

/* Inflate one member and return the bytes that it took up. */
static size_t add_member(Worker *worker, const uint8_t *data, size_t size,
                         const char *name)
{
    size_t taken, given;
    enum libdeflate_result result;
    make_space(worker);
    for (;;) {
        result = libdeflate_gzip_decompress_ex(worker->inflater, data, size,
                                               space(worker), space_size(worker),
                                               &taken, &given);
        if (result != LIBDEFLATE_INSUFFICIENT_SPACE) break;
        finish_messages(worker);
        worker->capacity *= 2;
        free(worker->buffer);
        worker->buffer = malloc(worker->capacity);
        if (!worker->buffer) fail("no memory for a member", name);
    }
    if (result != LIBDEFLATE_SUCCESS) fail("a damaged gzip member", name);
    add_records(worker, (const char *)space(worker), given, name);
    hold(worker, given);
    return taken;
}

static void add_archive(Worker *worker, const char *name)
{
    struct stat status;
    int file = open(name, O_RDONLY);
    if (file < 0 || fstat(file, &status)) fail("cannot be opened", name);
    size_t size = status.st_size, at = 0;
    uint8_t *data = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
    if (data == MAP_FAILED) fail("cannot be read", name);
    if (size > 1 && data[0] == 0x1f && data[1] == 0x8b)
        while (at < size) at += add_member(worker, data + at, size - at, name);
    else
        add_records(worker, (const char *)data, size, name);
    finish_messages(worker);
    munmap(data, size);
    close(file);
}

static void in_threads(void *(*work)(void *))
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, work, &workers[i]))
            fail("cannot be started", "thread");
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
}

/* Refuse to overwrite what may be an input, as the order of the arguments is easily
   forgotten. */
static void refuse_archive(const char *name)
{
    static const char *const ENDS[] = {".warc", ".arc", ".gz", ".zst", ".wacz"};
    size_t size = strlen(name);
    for (size_t i = 0; i < sizeof ENDS / sizeof *ENDS; i++) {
        size_t end = strlen(ENDS[i]);
        if (size >= end && !strcasecmp(name + size - end, ENDS[i]))
            fail("OUT is an archive; name another file for the results", name);
    }
    char first[4] = {0};
    FILE *file = fopen(name, "rb");
    size = file ? fread(first, 1, sizeof first, file) : 0;
    if (file) fclose(file);
    if (size && (!memcmp(first, "WARC", 4) || !memcmp(first, "\x1f\x8b", 2)
                 || !memcmp(first, "PK\3\4", 4) || !memcmp(first, "\x28\xb5\x2f\xfd", 4)))
        fail("OUT exists and is an archive; name another file for the results", name);
}
