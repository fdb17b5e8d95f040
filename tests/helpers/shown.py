"""What `show` prints, and what it refuses."""

from commands import run


def shown(folder, *args) -> list[str]:
    done = run('show', folder, *args)
    assert (done.code, done.err) == (0, '')
    return done.out.splitlines()


def refused(folder, *args) -> str:
    code, out, err = run('show', folder, *args)
    assert code in (1, 2) and out == '' and err.count('\n') == 1
    return err
