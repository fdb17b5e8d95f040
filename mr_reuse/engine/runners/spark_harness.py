"""What Spark is given to run: mrjob's harness, which ends if the chain is killed."""

import json
import os
import threading
import time

from mr_reuse.engine import locks
from mr_reuse.engine.runners.spark import CHAIN

EVERY = 1.0  # seconds


def end_with_chain() -> None:
    """End, and Spark with this process, when nobody waits for it any more."""
    chain = json.loads(os.environ[CHAIN])
    while locks.is_alive(chain):
        time.sleep(EVERY)
    os._exit(1)


if __name__ == '__main__':
    from mrjob.spark import harness  # which needs pyspark

    threading.Thread(target=end_with_chain, daemon=True).start()
    harness.main()
