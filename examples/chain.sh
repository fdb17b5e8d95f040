#!/bin/sh
# Runs the five jobs of the papers one after another, each by itself:
#
#     RUN=hdfs:///user/me/chain RUNNER=hadoop examples/chain.sh warc.paths
#
# warc.paths has the name of an archive on each line. Variables:
#   RUN        folder for the output of all jobs: local, hdfs:// or s3://
#   RUNNER     inline, local, hadoop, emr or spark
#   CONF       a mrjob.conf
#   THRESHOLD  chunks and files with more copies are labels
#   JOIN       map, reduce or bloom: where MatchLabeled looks labels up
#   PYTHON     the Python in which mr_reuse is installed
set -eu
: "${RUN:=chain}" "${RUNNER:=local}" "${THRESHOLD:=10}" "${JOIN:=map}" "${PYTHON:=python3}"
: "${CONF:=$(dirname "$0")/../mrjob.conf}"

job() {
    name=$1
    shift
    "$PYTHON" -m "mr_reuse.chunks.jobs.$name" -r "$RUNNER" -c "$CONF" "$@"
}

# Code 3 means that some archives were damaged. All that could be read is in the output.
damaged=0
job hash_chunks "$@" -o "$RUN/01-pages" || { [ $? -eq 3 ] && damaged=3; }
job count_duplicates "$RUN/01-pages" -o "$RUN/02-counts"
job filter_stop_chunks "$RUN/02-counts" -o "$RUN/03-labels" --threshold "$THRESHOLD"
job match_labeled "$RUN/01-pages" -o "$RUN/04-matches" --labels "$RUN/03-labels" --join "$JOIN"
job neighborhood_badness "$RUN/04-matches" -o "$RUN/05-neighborhoods"
exit $damaged
