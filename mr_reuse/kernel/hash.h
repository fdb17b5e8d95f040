/* Hashes of many messages at once, with the widest registers that the CPU has. */

#ifndef HASH_H
#define HASH_H
#include <stddef.h>
#include <stdint.h>

typedef struct {
    const uint8_t *data;
    size_t length;
} Message;

enum { SHA1 = 20, SHA256 = 32 }; /* the bytes of a digest name the algorithm */

/* Write the digests of `count` messages, one behind the other. `order` is for as many
   numbers, and no matter to who calls. */
void hash_all(int size, const Message *messages, size_t count, uint32_t *order,
              uint8_t *digests);

/* What does it here: "avx512", "sha-ni", "avx2", "plain". */
const char *hash_with(void);

/* Take another way than the best one, for tests; 0 if this CPU cannot. */
int hash_choose(const char *name);

#endif
