"""Vendors: the makers' names that papers put before a product's name, or leave out."""

import re

VENDORS = frozenset(
    re.findall(
        r"\w+",
        """
    alibaba amazon amd apple arm aws baidu broadcom cerebras facebook fujitsu google graphcore
    groq habana huawei ibm intel lenovo mellanox meta micron microsoft nvidia openai oracle
    qualcomm samsung sambanova tenstorrent tencent xilinx
    """,
    )
)


def split_vendor(name: str) -> tuple[str, str] | None:
    """Return vendor and product of ``NVIDIA A100``; None where no vendor leads the name."""
    first, _, rest = name.strip().partition(" ")
    if rest and first.casefold() in VENDORS:
        return first.casefold(), rest.strip()
    return None
