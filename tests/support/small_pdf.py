"""PDF files of a page, small enough to be written by hand."""


def pdf(*lines: tuple[int, str], title: str = "", more: str = "") -> bytes:
    """Make a PDF of a page with lines of some size; `more` goes into its trailer."""
    text = "".join(f"/F {size} Tf 0 -{size + 4} Td ({line}) Tj\n" for size, line in lines)
    content = f"BT 60 760 Td\n{text}ET"
    objects = (
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R"
        "/Resources<</Font<</F 5 0 R>>>>>>",
        f"<</Length {len(content)}>>stream\n{content}\nendstream",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        f"<</Title({title})>>",
    )
    body = "".join(f"{i} 0 obj{each}endobj\n" for i, each in enumerate(objects, 1))
    return f"%PDF-1.4\n{body}trailer<</Root 1 0 R/Info 6 0 R{more}>>\n%%EOF".encode()
