"""What the site's processes find in their environment, the same for `up` and `manage`."""

from collections.abc import Mapping

from casino.local import addresses, keys
from casino.local.addresses import Wanted
from casino.local.places import Places
from casino.local.web_address import WebAddress


def site_environment(
    environ: Mapping[str, str], *, places: Places, wanted: Wanted, web: WebAddress
) -> dict[str, str]:
    """Return the caller's environment with what is missing put in; makes the secrets if needed."""
    defaults = {
        **keys.read_or_make(places.secrets),
        "DJANGO_SETTINGS_MODULE": "casino.settings.development",
        "BAIZE_URL": web.url,
        "PYTHONUNBUFFERED": "1",
    }
    given = {name: value for name, value in environ.items() if value or name not in defaults}
    result = addresses.apply({**defaults, **given}, places=places, wanted=wanted)
    result["BAIZE_STATE_DIR"] = str(places.state)
    result["HOST"], result["PORT"] = web.host, str(web.port)
    # Only the web process keeps connections, and the launcher says how many.
    result.pop("DB_POOL", None)
    return result
