"""mrjob's runner for AWS."""

from typing import Any

from mrjob.emr import EMRJobRunner

from mr_reuse.engine.costs import Nodes
from mr_reuse.engine.runners.bundled import Bundled


class EmrRunner(Bundled, EMRJobRunner):
    """Jobs as steps of an EMR cluster."""

    def _add_tags(self, tags, cluster_id):
        self._cluster_id = cluster_id  # it is there, even if this is refused
        super()._add_tags(tags, cluster_id)

    def nodes(self) -> list[Nodes]:
        """The machines of a cluster that it would ask for."""
        groups = [
            (g['InstanceRole'], g['InstanceType'], g['InstanceCount'], _is_spot(g))
            for g in ([] if self._opts['instance_fleets'] else self._instance_groups())
        ]
        for fleet in self._opts['instance_fleets'] or ():
            kind = fleet['InstanceTypeConfigs'][0]['InstanceType']
            for what, spot in (('OnDemand', False), ('Spot', True)):
                if count := fleet.get(f'Target{what}Capacity'):
                    groups.append((fleet['InstanceFleetType'], kind, count, spot))
        return [Nodes(*group) for group in groups]

    @classmethod
    def _default_opts(cls):
        return super()._default_opts() | {
            'max_mins_idle': 10.0,
            'cloud_fs_sync_secs': 0.0,  # S3 is consistent now
        }


def _is_spot(group: dict[str, Any]) -> bool:
    return group.get('Market') == 'SPOT'
