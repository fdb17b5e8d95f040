/* Hashes of many messages at once, with the widest registers of the CPU. */

#ifndef HASH_H
#define HASH_H
#include <stddef.h>
#include <stdint.h>

typedef struct {
    const uint8_t *data;
    size_t length;
} Message;

enum { SHA1 = 20, SHA256 = 32 }; /* algorithms, as sizes of their digests */

/* Write the digests of `count` messages, one after the other. `order` is scratch space
   for `count` numbers. */
void hash_all(int size, const Message *messages, size_t count, uint32_t *order,
              uint8_t *digests);

/* Return the name of the chosen implementation: "avx512", "sha-ni", "avx2", "plain". */
const char *hash_with(void);

/* Choose an implementation, for tests. "" is the fastest one. Return 0 if this CPU does
   not support it. */
int hash_choose(const char *name);

#endif
