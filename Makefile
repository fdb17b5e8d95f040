# Everything is made in a virtual environment of its own: .venv, or .venv-3.12
# with `make test PYTHON=python3.12 VENV=.venv-3.12`.

PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
DEMO ?= demo
HADOOP_CLUSTER ?= .hadoop
PYSPARK ?= 3.5
CLANG ?= clang
FUZZ_SECONDS ?= 600
CACHE ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/mr_reuse

.PHONY: demo test test-quick test-imports test-next test-slow test-peers test-browser test-hadoop \
    test-failures test-emr test-spark fuzz fuzz-reader golden lint docs bench wheel \
    hadoop-up hadoop-down hadoop-status clean

MADE_OF = setup.cfg setup.py pyproject.toml constraints.txt $(wildcard mr_reuse/kernel/*.[ch])

$(VENV)/installed: $(MADE_OF)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable .
	touch $@

$(VENV)/ready: $(MADE_OF)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt \
	    --editable '.[test,lint]'
	touch $@

$(VENV)/ready-fuzz: $(VENV)/ready
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[fuzz]'
	touch $@

$(VENV)/ready-peers: $(VENV)/ready
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[peers]'
	touch $@

$(VENV)/ready-spark-$(PYSPARK): $(VENV)/ready
	$(BIN)/python -m pip install --quiet --constraint constraints.txt \
	    --editable '.[spark]' 'pyspark==$(PYSPARK).*'
	rm -f $(VENV)/ready-spark-*
	touch $@

# What tests need takes longer to install than to run this.
demo: $(or $(wildcard $(VENV)/ready),$(VENV)/installed)  ## make a small crawl, find what is copied in it, and where
	$(BIN)/python -m mr_reuse.synth -o $(DEMO)/crawl --size 20MB --force --quiet
	$(BIN)/python -m mr_reuse.discover '$(DEMO)/crawl/*.warc.gz' -o $(DEMO)/run --force
	$(BIN)/python -m mr_reuse.detect -o $(DEMO)/run --min-chunks 5
	$(BIN)/python -m mr_reuse.links $(DEMO)/run
	$(BIN)/python -m mr_reuse.report $(DEMO)/run

# Tests write thousands of small files, which takes half as long in memory.
test test-quick: export TMPDIR := $(or $(TMPDIR),$(shell tests/temporary))

test: $(VENV)/ready  ## all tests but the slow ones
	$(BIN)/python -m pytest -q -n auto -m 'not slow and not cluster and not browser'

test-quick: $(VENV)/ready  ## the part that every Python has to pass
	$(BIN)/python -m pytest -q -n auto \
	    -m 'not slow and not cluster and not browser and not apart'

test-imports: $(VENV)/ready  ## all modules, their examples and the kernel
	$(BIN)/python -m pytest -q mr_reuse tests/kernel

test-next:  ## the same on Python 3.14 and 3.15, in a chroot with the next Debian; as root
	tests/next_python $(CACHE)/next-debian 3.14 3.15

test-slow: $(VENV)/ready  ## what takes minutes: kills, large pages, full disks, random crawls
	$(BIN)/python -m pytest -q -m slow
	TIMES=10 $(BIN)/python -m pytest -q -n auto -m 'random and not slow'

test-peers: $(VENV)/ready-peers  ## the test archives of other readers; fetches them
	$(BIN)/python tests/peers/fetch.py $(CACHE)/peers
	PEERS=$(CACHE)/peers $(BIN)/python -m pytest -q tests/peers

test-browser: $(VENV)/ready  ## what is shown in a browser, in a real Chromium
	@command -v chromium > /dev/null || command -v chromium-browser > /dev/null || { \
	    echo 'needs Chromium, as by apt-get install chromium fonts-liberation'; exit 1; }
	$(BIN)/python -m pytest -q -m browser

test-hadoop: $(VENV)/ready  ## the chain on a real Hadoop, on this machine
	HADOOP_CLUSTER=$(HADOOP_CLUSTER) $(BIN)/python -m pytest -q -m hadoop; \
	    code=$$?; tests/cluster/cluster down $(HADOOP_CLUSTER); exit $$code

test-failures: $(VENV)/ready-spark-$(PYSPARK)  ## the same while nodes, tasks and drivers are lost
	HADOOP_CLUSTER=$(HADOOP_CLUSTER) $(BIN)/python -m pytest -q -m failures; \
	    code=$$?; tests/cluster/cluster down $(HADOOP_CLUSTER); exit $$code

test-emr: $(VENV)/ready  ## the steps that AWS would be given, on the same Hadoop
	HADOOP_CLUSTER=$(HADOOP_CLUSTER) $(BIN)/python -m pytest -q -m emr; \
	    code=$$?; tests/cluster/cluster down $(HADOOP_CLUSTER); exit $$code

test-spark: $(VENV)/ready-spark-$(PYSPARK)  ## on Spark, of the version PYSPARK, with Java
	$(BIN)/python -m pytest -q -m spark

fuzz:  ## any bytes through the kernel, for FUZZ_SECONDS; needs clang and libssl-dev
	mkdir -p build/corpus
	$(CLANG) -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
	    -Wno-deprecated-declarations -o build/fuzz tests/kernel/fuzz_kernel.c -lcrypto
	build/fuzz -max_total_time=$(FUZZ_SECONDS) -max_len=4096 -print_final_stats=1 \
	    -artifact_prefix=build/ build/corpus tests/damaged
	mkdir -p build/pages
	$(CLANG) -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
	    -o build/fuzz-words tests/kernel/fuzz_words.c
	build/fuzz-words -max_total_time=$(FUZZ_SECONDS) -max_len=4096 -print_final_stats=1 \
	    -artifact_prefix=build/ build/pages
	mkdir -p build/noise
	$(CLANG) -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
	    -o build/fuzz-fingerprints tests/kernel/fuzz_fingerprints.c
	build/fuzz-fingerprints -max_total_time=$(FUZZ_SECONDS) -max_len=4096 -print_final_stats=1 \
	    -artifact_prefix=build/ build/noise

fuzz-reader: $(VENV)/ready-fuzz  ## any bytes through the reader of archives, as long
	mkdir -p build/archives
	TMPDIR=$$(tests/temporary) $(BIN)/python tests/archives/fuzz_reader.py build/archives tests/archives/corpus \
	    tests/damaged -max_total_time=$(FUZZ_SECONDS) -max_len=20000 -rss_limit_mb=400 \
	    -timeout=60 -print_final_stats=1 -artifact_prefix=build/

golden: $(VENV)/ready  ## whether all tables are the bytes that they were; GOLDEN=--no-prose
	$(BIN)/python tests/golden/golden.py compare tests/golden/golden.tsv $(GOLDEN)

docs: $(VENV)/ready  ## docs/commands, of what --help says
	$(BIN)/python docs/generate.py

wheel:  ## dist/*.whl, with the kernel where there is a compiler
	$(PYTHON) -m pip wheel --quiet --no-deps --wheel-dir dist .

lint: $(VENV)/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

hadoop-up:  ## start a Hadoop on this machine, in $(HADOOP_CLUSTER), and say how to use it
	@tests/cluster/cluster up $(HADOOP_CLUSTER)

hadoop-down:  ## stop it; what is in HDFS is kept
	@tests/cluster/cluster down $(HADOOP_CLUSTER)

hadoop-status:  ## which daemons of it are running
	@tests/cluster/cluster status $(HADOOP_CLUSTER)

clean:
	rm -rf .venv* build *.egg-info $(DEMO)
	@tests/cluster/cluster status $(HADOOP_CLUSTER) > /dev/null; \
	if [ $$? = 3 ]; then rm -rf $(HADOOP_CLUSTER); \
	else echo '$(HADOOP_CLUSTER) is running and was left; see make hadoop-down'; fi
