"""`distrl doctor --fleet N`: whether so many devices fit, and what the next one would lack."""

from __future__ import annotations

from collections.abc import Sequence

from distrl.cli.arguments import require_at_least
from distrl.cli.doctor import Row, State, ask_kvm
from distrl.cli.output import print_json, print_table
from distrl.devices.android.fleet_preflight import (
    Supply,
    Verdict,
    adb_owner,
    allowed,
    has_binder,
    read_machine,
    taken_ports,
    verdict,
)


def show_fleet(devices: int, *, as_json: bool) -> int:
    """Print the report; 0 if so many devices fit, else 1."""
    require_at_least("--fleet", devices, at_least=1)
    supplies, kvm = read_machine(), ask_kvm()
    fits = verdict(supplies, kvm="" if kvm.state is State.OK else kvm.found or "there is no KVM")
    figures = summary(devices, supplies, kvm, fits)
    if as_json:
        print_json(figures)
    else:
        rows = figures.pop("rows")
        assert isinstance(rows, list)
        print_table(tuple(rows[0]), [tuple(row.values()) for row in rows], title="for each device")
        print_table(("figure", "value"), list(figures.items()), title=f"{devices} devices")
    return 0 if fits.devices >= devices else 1


def summary(devices: int, supplies: Sequence[Supply], kvm: Row, fits: Verdict) -> dict[str, object]:
    """The report as one flat object, with a row for each supply."""
    return {
        "fleet": devices,
        "ok": fits.devices >= devices,
        "devices": fits.devices,
        "limited_by": fits.limited_by,
        "why_no_more": fits.why_no_more,
        "get": fits.get,
        "kvm": kvm.state is State.OK,
        "kvm_found": kvm.found,
        "binder": has_binder(),
        "adb_server": str(adb_owner()),
        "ports_taken": ", ".join(map(str, taken_ports())),
        **{f"{supply.name}_free": supply.free for supply in supplies},
        "rows": [
            {
                "name": supply.name,
                "free": supply.free,
                "each": supply.each,
                "devices": allowed(supply),
                "ok": allowed(supply) >= devices,
                "get": "" if allowed(supply) >= devices else supply.get,
            }
            for supply in supplies
        ],
    }
