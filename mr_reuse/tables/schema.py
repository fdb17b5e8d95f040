"""What the columns of tables hold, and in which order their rows are.

Tables are text. Formats that know numbers from text go by the names of columns.
"""

NUMBERS = (
    'bad bad_after bad_before copies earlier_here earlier_there hosts length level '
    'links objects pages ring shared sites total'
).split()
RATIOS = 'contains mean pooled share'.split()
KINDS = dict.fromkeys(NUMBERS, int) | dict.fromkeys(RATIOS, float)
# What these two say is of another kind in each table.
CHANGES = {'label_changes': int, 'neighborhood_changes': float}

# The columns that sort a table, and whether the largest comes first. Tables of pages
# are in the order of archive and offset, and of bad ones in one that options set.
ORDERS = {
    'labels': {'copies': True, 'hash': False},
    'file_labels': {'copies': True, 'hash': False},
    'frequency': {'unit': False, 'copies': False},
    'neighborhoods': {'prefix': False},
    'origins': {'neighborhood': False, 'shared': True, 'other': False},
    'links': {'source': False, 'target': False},
    'rings': {'ring': False},
}


def kind_of(table: str, column: str) -> type:
    """What a column holds: text, whole numbers, or ratios.

    >>> kind_of('labels', 'hash'), kind_of('labels', 'copies')
    (<class 'str'>, <class 'int'>)
    >>> kind_of('pages', 'contains'), kind_of('label_changes', 'after')
    (<class 'float'>, <class 'int'>)
    """
    if column in ('before', 'after'):
        return CHANGES.get(table, str)
    return KINDS.get(column, str)
