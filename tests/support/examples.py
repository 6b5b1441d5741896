"""How many examples Hypothesis makes: a few each time, more in `make nightly`, many in `make soak`.

STEMMA_HYPOTHESIS names another profile.
"""

import os

from hypothesis import settings

_FEW, _MORE, _MANY = 12, 30, 1500


def load_profile() -> None:
    """Choose the profile. No example is late: machines may stand still for seconds."""
    # The same examples each time, so that a change is to blame for what fails after it.
    settings.register_profile("few", max_examples=_FEW, deadline=None, derandomize=True)
    settings.register_profile("nightly", max_examples=_MORE, deadline=None, derandomize=True)
    settings.register_profile("soak", max_examples=_MANY, deadline=None)
    usual = "nightly" if os.environ.get("STEMMA_NIGHTLY") else "few"
    settings.load_profile(os.environ.get("STEMMA_HYPOTHESIS", usual))


def scaled(few: int) -> int:
    """How many examples a test gets that gets `few` where others get thirty: each takes long."""
    return max(1, few * settings.default.max_examples // _MORE)
