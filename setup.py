"""Build of the C kernel, if there is a compiler. Other settings are in setup.cfg."""

import sysconfig
from glob import glob

from setuptools import Extension, setup

KERNEL = Extension(
    'mr_reuse._kernel',
    sources=sorted(glob('mr_reuse/kernel/*.c')),
    depends=glob('mr_reuse/kernel/*.h'),
    extra_compile_args=['-O3'],
    define_macros=[('Py_LIMITED_API', '0x030A0000')],
    py_limited_api=True,
    optional=True,  # Python code takes its place: the same results, but slower
)

if sysconfig.get_config_var('Py_GIL_DISABLED'):  # these builds have no stable ABI
    setup()
else:
    setup(
        ext_modules=[KERNEL],
        options={'bdist_wheel': {'py_limited_api': 'cp310'}},
    )
