"""The program that Spark runs: mrjob's harness, which ends if the driver is killed."""

import json
import os
import threading
import time

from mr_reuse.engine import processes
from mr_reuse.engine.runners.spark import DRIVER

CHECK_INTERVAL = 1.0  # seconds between two checks


def end_with_driver() -> None:
    """Wait until the driver has ended, then end this process, and Spark with it."""
    driver = json.loads(os.environ[DRIVER])
    while processes.is_alive(driver):
        time.sleep(CHECK_INTERVAL)
    os._exit(1)


if __name__ == '__main__':
    from mrjob.spark import harness  # needs pyspark

    threading.Thread(target=end_with_driver, daemon=True).start()
    harness.main()
