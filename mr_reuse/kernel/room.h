/* Arrays that grow. */

#ifndef ROOM_H
#define ROOM_H
#include <stddef.h>
#include <stdlib.h>

/* Make room for so many elements of a width. Return 0 if memory is short. */
static inline int make_room(void **at, size_t *room, size_t needed, size_t width)
{
    if (needed <= *room) return 1;
    size_t more = *room * 2 > needed ? *room * 2 : needed + 64;
    void *grown = realloc(*at, more * width);
    if (!grown) return 0;
    *at = grown;
    *room = more;
    return 1;
}

#endif
