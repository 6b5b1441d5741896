"""Vendors: makers whose names papers put before the names of products, or leave out.

So they do with the article of a name: The Pile is the Pile, and a Pile.
"""

_OF_DEVICES = """
Altera AMD Apple Arm Broadcom Cerebras Fujitsu Google Graphcore Groq Habana Huawei IBM Intel
Lenovo Mellanox Micron NVIDIA Qualcomm SambaNova Samsung Tenstorrent Xilinx
"""
_OTHERS = "Alibaba Amazon AWS Baidu Facebook Meta Microsoft OpenAI Oracle Tencent"
DEVICE_VENDORS = tuple(_OF_DEVICES.split())
VENDORS = (*DEVICE_VENDORS, *_OTHERS.split())
ARTICLE = "the"
_LEFT_OUT = frozenset((*map(str.casefold, VENDORS), ARTICLE))


def split_vendor(name: str) -> tuple[str, str] | None:
    """Return vendor or article, in lower case, and product of ``NVIDIA A100``; else None."""
    first, _, rest = name.strip().partition(" ")
    if rest and first.casefold() in _LEFT_OUT:
        return first.casefold(), rest.strip()
    return None
