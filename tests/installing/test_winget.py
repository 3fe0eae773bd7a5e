"""The manifest for winget says what the installer is; only its address and checksum are open."""

from __future__ import annotations

import yaml

from tests.installing.conftest import ROOT
from voicechess import __version__

FOLDER = ROOT / "freeze" / "winget"


def test_the_manifest_is_of_this_version_and_one_address_is_open() -> None:
    files = {path.name: yaml.safe_load(path.read_text("utf-8")) for path in FOLDER.glob("*.yaml")}
    assert {told["ManifestType"] for told in files.values()} == {"version", "installer", "defaultLocale"}
    for told in files.values():
        assert (told["PackageIdentifier"], told["PackageVersion"]) == ("voicechess.voicechess", __version__)
    (installer,) = files["voicechess.voicechess.installer.yaml"]["Installers"]
    assert installer["InstallerUrl"] == f"ADDRESS/voicechess-{__version__}-windows-x64.exe"
    assert files["voicechess.voicechess.installer.yaml"]["InstallerType"] == "nullsoft"
