"""One test for a check of many items: the bookkeeping of a test takes milliseconds."""

from collections.abc import Callable, Iterable


def check_each(items: Iterable) -> Callable:
    """Make a test that checks all items, and names those that fail, with the reason."""

    def make_test(check: Callable) -> Callable:
        def test():
            failures = []
            for item in items:
                try:
                    check(item)
                except AssertionError as error:
                    failures.append(f'{item}: {error}')
            assert not failures, '\n'.join(failures)

        test.__doc__ = check.__doc__
        return test

    return make_test
