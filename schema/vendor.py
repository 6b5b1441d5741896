"""Vendors: makers whose names papers put before the names of products, or leave out."""

_OF_DEVICES = """
Altera AMD Apple Arm Broadcom Cerebras Fujitsu Google Graphcore Groq Habana Huawei IBM Intel
Lenovo Mellanox Micron NVIDIA Qualcomm SambaNova Samsung Tenstorrent Xilinx
"""
_OTHERS = "Alibaba Amazon AWS Baidu Facebook Meta Microsoft OpenAI Oracle Tencent"
DEVICE_VENDORS = tuple(_OF_DEVICES.split())
VENDORS = (*DEVICE_VENDORS, *_OTHERS.split())
_FOLDED = frozenset(each.casefold() for each in VENDORS)


def split_vendor(name: str) -> tuple[str, str] | None:
    """Return vendor, in lower case, and product of ``NVIDIA A100``; None without a vendor."""
    first, _, rest = name.strip().partition(" ")
    if rest and first.casefold() in _FOLDED:
        return first.casefold(), rest.strip()
    return None
