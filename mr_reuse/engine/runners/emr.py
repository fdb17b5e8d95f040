"""mrjob's runner for EMR, the Hadoop of AWS."""

from typing import Any

from mrjob.emr import EMRJobRunner

from mr_reuse.engine.costs import Nodes
from mr_reuse.engine.runners.bundled import Bundled


class EmrRunner(Bundled, EMRJobRunner):
    """A runner whose jobs are steps of an EMR cluster."""

    def _add_tags(self, tags, cluster_id):
        # mrjob would set it afterwards. The cluster runs even if AWS refuses the tags.
        self._cluster_id = cluster_id
        super()._add_tags(tags, cluster_id)

    def nodes(self) -> list[Nodes]:
        """Return the machines of the cluster that it would request."""
        groups = [
            (g['InstanceRole'], g['InstanceType'], g['InstanceCount'], _is_spot(g))
            for g in ([] if self._opts['instance_fleets'] else self._instance_groups())
        ]
        for fleet in self._opts['instance_fleets'] or ():
            # AWS chooses among the types of a fleet. The first one stands for all.
            kind = fleet['InstanceTypeConfigs'][0]['InstanceType']
            for market, spot in (('OnDemand', False), ('Spot', True)):
                if count := fleet.get(f'Target{market}Capacity'):
                    groups.append((fleet['InstanceFleetType'], kind, count, spot))
        return [Nodes(*group) for group in groups]

    @classmethod
    def _default_opts(cls):
        return super()._default_opts() | {
            'max_mins_idle': 10.0,
            'cloud_fs_sync_secs': 0.0,  # no waiting: S3 is consistent by now
        }


def _is_spot(group: dict[str, Any]) -> bool:
    return group.get('Market') == 'SPOT'
