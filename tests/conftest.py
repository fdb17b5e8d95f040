"""What all tests share."""


def pytest_make_parametrize_id(config, val, argname):
    """Bytes are named by their number: what is compressed now is other bytes later."""
    return f'{len(val)}_bytes' if isinstance(val, bytes) else None
