"""One undisturbed shift for the whole run: what every other shift of its seed must end with."""

from __future__ import annotations

import pytest

from tests.shift.evidence import Evidence, gather
from tests.shift.script import Shift
from tests.shift.site import running_site


@pytest.fixture(scope="session")
def undisturbed() -> Evidence:
    """Play the shift on a site that nobody touches."""
    with running_site() as site:
        shift = Shift(site=site)
        shift.play()
        return gather(shift)
