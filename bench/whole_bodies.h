/* What reader.h asks of a floor that is done with a body before it reads the next one.

   A floor defines Worker and Archive before. */

static char **archives;
static int archive_count;
static atomic_int next_archive;
static Worker *workers;
static Archive *found;

static void add_page(Worker *worker, const uint8_t *body, size_t length);
static void finish_messages(Worker *worker) { (void)worker; }
static void make_space(Worker *worker) { (void)worker; }
static uint8_t *space(Worker *worker) { return worker->buffer; }
static size_t space_size(Worker *worker) { return worker->capacity; }
static void hold(Worker *worker, size_t size) { (void)worker, (void)size; }

#include "reader.h"
