"""The part that is compiled, where there is a compiler; all else is in setup.cfg."""

from glob import glob

from setuptools import Extension, setup

KERNEL = Extension(
    'mr_reuse._kernel',
    sources=['mr_reuse/kernel/module.c', 'mr_reuse/kernel/hash.c'],
    depends=glob('mr_reuse/kernel/*.h'),
    extra_compile_args=['-O3'],
    define_macros=[('Py_LIMITED_API', '0x030A0000')],
    py_limited_api=True,
    optional=True,  # without it all is the same, only slower
)

setup(ext_modules=[KERNEL])
