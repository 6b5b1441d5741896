"""Sentences with the names of works marked in them."""

import re

import httpx
import pytest

from stemma.schema import Entity, EntityKind
from stemma.server.web.pages import naming

LORA = Entity("entity/lora", "LoRA", EntityKind.TECHNIQUE, ("low-rank adaptation",))
QLORA = Entity("entity/qlora", "QLoRA", EntityKind.TECHNIQUE)
MARKED = '<span class="named">ZeRO-Infinity</span>'
IT = Entity("entity/it", "IT", EntityKind.DATASET)


@pytest.mark.parametrize(
    ("sentence", "marked"),
    [
        ("QLoRA extends LoRA.", ["QLoRA", "LoRA"]),
        ("Low rank adaptations, or LORAs, are small.", ["Low rank adaptations", "LORAs"]),
        ("LoRAX is neither; it is no dataset.", []),
        ("We test LoRA-based models on IT.", ["LoRA", "IT"]),
    ],
)
def test_names_are_marked_where_they_are_whole_words(sentence, marked):
    html = naming(sentence, [LORA, None, QLORA, IT])
    assert re.findall(r'<span class="named">(.*?)</span>', html) == marked
    assert re.sub(r"</?span.*?>", "", html) == sentence


def test_texts_stay_texts():
    lora = '<span class="named">LoRA</span>'
    assert naming(r"<i>LoRA</i> & 5\%", [LORA]) == f"&lt;i&gt;{lora}&lt;/i&gt; &amp; 5%"
    assert naming("<b>", []) == "&lt;b&gt;"
    odd = Entity("entity/odd", "C++ (<b>)", EntityKind.FRAMEWORK)
    assert naming("In C++ (<b>) we", [odd]) == f"In {lora.replace('LoRA', 'C++ (&lt;b&gt;)')} we"


def test_quotations_on_pages_have_names_marked(server_url):
    for address in (
        "/page/entity/zero-infinity",
        *("/lineage/entity/zero-infinity", "/compare?left=Fuyou&right=ZeRO-Infinity"),
    ):
        page = httpx.get(server_url + address, headers={"accept": "text/html"}).text
        assert f"<blockquote>“{MARKED} moves those states to NVMe SSDs" in page, address
