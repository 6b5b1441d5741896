"""Answers of services in JSON, and tables that they export, each in its own form."""

import json
from typing import Any

import pytest

from read_text import OnePaper, Read

TITLE, ABSTRACT = "A Kiln", "We fire clay."
ORCID = "0000-0002-1825-0097"
SERVICES: dict[str, Any] = {
    "Europe PMC": {
        "hitCount": 1,
        "request": {"queryString": "kiln", "resultType": "core"},
        "resultList": {
            "result": [
                {
                    **{"id": "33", "doi": "10.1000/kiln", "title": TITLE, "pubYear": "2021"},
                    "authorString": "Sand AB, Clay B.",
                    "authorList": {
                        "author": [
                            {
                                **{"fullName": "Sand A", "firstName": "Ann", "lastName": "Sand"},
                                "authorId": {"type": "ORCID", "value": ORCID},
                            },
                            {"collectiveName": "The Kiln Group"},
                        ]
                    },
                    "journalInfo": {"issue": "1", "journal": {"title": "Kilns"}},
                    "abstractText": "<h4>Aims</h4>We &lt;fire&gt; <i>clay</i>.",
                    "firstPublicationDate": "2021-04-06",
                }
            ]
        },
    },
    "bioRxiv": {
        "messages": [{"status": "ok"}],
        "collection": [
            {
                **{"doi": "10.1000/kiln", "title": TITLE, "abstract": ABSTRACT},
                **{"authors": "Sand, A. B.; Clay, B.", "published": "NA", "date": "2021-04-06"},
            }
        ],
    },
    "DBLP": {
        "result": {
            "hits": {
                "@total": "1",
                "hit": [
                    {
                        "@score": "3",
                        "info": {
                            "authors": {"author": {"@pid": "1/2", "text": "Ann Sand 0002"}},
                            **{"title": TITLE, "venue": "Kilns", "year": "2021"},
                            "doi": "10.1000/KILN",
                        },
                    }
                ],
            }
        }
    },
    "DataCite": {
        "data": [
            {
                "id": "10.1000/kiln",
                "attributes": {
                    "titles": [{"title": TITLE}],
                    "creators": [
                        {
                            **{"name": "Sand, Ann", "givenName": "Ann", "familyName": "Sand"},
                            "affiliation": ["Kiln University"],
                            "nameIdentifiers": [{"nameIdentifier": f"https://orcid.org/{ORCID}"}],
                        },
                        {"name": "Clay, Bo", "affiliation": [{"name": "Clay University"}]},
                    ],
                    "publicationYear": 2021,
                    "created": "2024-01-01T00:00:00Z",
                    "descriptions": [
                        {"description": "A note.", "descriptionType": "Other"},
                        {"description": "<p>We fire clay.</p>", "descriptionType": "Abstract"},
                    ],
                },
            }
        ]
    },
    "Zenodo": {
        "hits": {
            "total": 1,
            "hits": [
                {
                    **{"id": 1, "doi": "10.1000/kiln", "created": "2024-03-01T00:00:00"},
                    "metadata": {
                        **{"title": TITLE, "description": "<p>We fire&nbsp;clay.</p>"},
                        "publication_date": "2021-04-06",
                        "creators": [{"name": "Sand, Ann", "orcid": ORCID}],
                    },
                }
            ],
        }
    },
    "HAL": {
        "response": {
            "docs": [
                {
                    **{"title_s": [TITLE], "abstract_s": [ABSTRACT, "Nous cuisons."]},
                    **{"authFullName_s": ["Ann Sand", "Bo Clay"], "doiId_s": "10.1000/kiln"},
                    **{"producedDate_s": "2021-04-06", "journalTitle_s": "Kilns"},
                }
            ]
        }
    },
    "NASA ADS": {
        "responseHeader": {"status": 0},
        "response": {
            "docs": [
                {
                    **{"title": [TITLE], "abstract": ABSTRACT, "author": ["Sand, Ann"]},
                    **{"pub": "Kilns", "year": "2021", "pubdate": "2021-04-00"},
                    "identifier": ["2021arXiv210407857S", "arXiv:2104.07857", "10.1000/kiln"],
                }
            ]
        },
    },
    "CORE": {
        "totalHits": 1,
        "results": [
            {
                **{"id": 1, "title": TITLE, "abstract": ABSTRACT, "arxivId": "2104.07857"},
                **{"authors": [{"name": "Sand, Ann"}], "publishedDate": "2021-04-06T00:00:00"},
                **{"journals": [{"title": "Kilns"}], "doi": "10.1000/kiln"},
            }
        ],
    },
    "DOAJ": {
        "results": [
            {
                "id": "a1",
                "bibjson": {
                    **{"title": TITLE, "abstract": ABSTRACT, "year": "2021"},
                    **{"author": [{"name": "Ann Sand"}], "journal": {"title": "Kilns"}},
                    "identifier": [
                        {"type": "eissn", "id": "1234-5678"},
                        {"type": "doi", "id": "10.1000/kiln"},
                    ],
                },
            }
        ]
    },
    "INSPIRE": {
        "hits": {
            "hits": [
                {
                    "created": "2024-01-01",
                    "metadata": {
                        "titles": [{"title": TITLE}],
                        "abstracts": [{"value": ABSTRACT, "source": "arXiv"}, {"value": "We."}],
                        "authors": [
                            {"full_name": "Sand, Ann", "ids": [{"schema": "ORCID", "value": ORCID}]}
                        ],
                        "arxiv_eprints": [{"value": "2104.07857"}],
                        "dois": [{"value": "10.1000/kiln"}],
                        "earliest_date": "2021-04-06",
                        "publication_info": [{"journal_title": "Kilns", "year": 2021}],
                    },
                }
            ]
        }
    },
    "IEEE Xplore": {
        "articles": [
            {
                **{"doi": "10.1000/kiln", "title": TITLE, "abstract": ABSTRACT},
                "authors": {"authors": [{"full_name": "Ann Sand", "affiliation": "Kilns"}]},
                **{"publication_title": "Kilns", "publication_year": "2021"},
            }
        ]
    },
    "Scopus": {
        "search-results": {
            "link": [{"@ref": "self"}],
            "entry": [
                {
                    **{"dc:title": TITLE, "dc:creator": "Sand, Ann; Clay, Bo"},
                    **{"prism:publicationName": "Kilns", "prism:coverDate": "2021-04-06"},
                    **{"prism:doi": "10.1000/kiln", "dc:description": ABSTRACT},
                }
            ],
        }
    },
    "Papers with Code": [
        {
            **{"paper_url": "https://example.org/kiln", "arxiv_id": "2104.07857"},
            **{"title": TITLE, "abstract": ABSTRACT, "authors": ["Ann Sand"]},
            **{"url_abs": "https://doi.org/10.1000/kiln", "date": "2021-04-06"},
            **{"proceeding": "Kilns", "conference": None},
        }
    ],
    "S2ORC": {
        **{"paper_id": "1", "title": TITLE, "year": "2021", "abstract": ABSTRACT},
        "authors": [{"first": "Ann", "middle": ["B"], "last": "Sand", "suffix": ""}],
        "identifiers": {"doi": "10.1000/kiln"},
    },
    "CORD-19": {
        "paper_id": "abc",
        "metadata": {
            "title": TITLE,
            "authors": [{"first": "Ann", "middle": [], "last": "Sand", "suffix": ""}],
        },
        "abstract": [{"text": "We fire clay.", "section": "Abstract"}, {"text": "It holds."}],
        "body_text": [{"text": "Kilns.", "section": "Introduction"}],
    },
    "unarXive": {
        "paper_id": "2104.07857",
        "metadata": {
            **{"id": "2104.07857", "title": TITLE, "abstract": ABSTRACT, "doi": "10.1000/kiln"},
            **{"authors_parsed": [["Sand", "Ann", ""]], "journal-ref": "Kilns"},
            "versions": [{"version": "v1", "created": "Tue, 6 Apr 2021 00:00:00 GMT"}],
        },
        "abstract": {"section": "Abstract", "text": "We."},
        "body_text": [],
    },
}
EXPECTED: dict[str, tuple[list[str], str, str | None, str | None, str | None]] = {
    "Europe PMC": (["Ann Sand", "The Kiln Group"], "2021-04-06", "Kilns", "10.1000/kiln", None),
    "bioRxiv": (["A. B. Sand", "B. Clay"], "2021-04-06", None, "10.1000/kiln", None),
    "DBLP": (["Ann Sand"], "2021", "Kilns", "10.1000/kiln", None),
    "DataCite": (["Ann Sand", "Bo Clay"], "2021", None, "10.1000/kiln", None),
    "Zenodo": (["Ann Sand"], "2021-04-06", None, "10.1000/kiln", None),
    "HAL": (["Ann Sand", "Bo Clay"], "2021-04-06", "Kilns", "10.1000/kiln", None),
    "NASA ADS": (["Ann Sand"], "2021-04", "Kilns", "10.1000/kiln", "2104.07857"),
    "CORE": (["Ann Sand"], "2021-04-06", "Kilns", "10.1000/kiln", "2104.07857"),
    "DOAJ": (["Ann Sand"], "2021", "Kilns", "10.1000/kiln", None),
    "INSPIRE": (["Ann Sand"], "2021-04-06", "Kilns", "10.1000/kiln", "2104.07857"),
    "IEEE Xplore": (["Ann Sand"], "2021", "Kilns", "10.1000/kiln", None),
    "Scopus": (["Ann Sand", "Bo Clay"], "2021-04-06", "Kilns", "10.1000/kiln", None),
    "Papers with Code": (["Ann Sand"], "2021-04-06", "Kilns", "10.1000/kiln", "2104.07857"),
    "S2ORC": (["Ann B Sand"], "2021", None, "10.1000/kiln", None),
    "CORD-19": (["Ann Sand"], "", None, None, None),
    "unarXive": (["Ann Sand"], "2021-04-06", "Kilns", "10.1000/kiln", "2104.07857v1"),
}
"""Authors, date, venue, DOI and arXiv id."""
ABSTRACTS = {
    "Europe PMC": "Aims\nWe <fire> clay.",
    "DBLP": "",
    "CORD-19": "We fire clay.\nIt holds.",
}


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("service", SERVICES)
def test_answers_of_services_are_read(told: Read, service: str, indent: int | None) -> None:
    answer = json.dumps(SERVICES[service], indent=indent)
    (kiln,), problems = told(answer, "answer.json")
    abstract = ABSTRACTS.get(service, ABSTRACT)
    assert (kiln.title, kiln.abstract.replace("\xa0", " ")) == (TITLE, abstract)
    assert not problems
    names, date, venue, doi, arxiv_id = EXPECTED[service]
    assert [each.name for each in kiln.authors] == names
    assert [each.orcid for each in kiln.authors if each.orcid] == [ORCID] * answer.count(ORCID)
    assert (str(kiln.published or ""), kiln.venue) == (date, venue)
    assert (kiln.doi, kiln.arxiv_id) == (doi, arxiv_id)
    assert ("https://doi.org/10.1000/kiln" in kiln.links) == ("10.1000/" in answer)


def test_several_dois_in_a_column(told: Read) -> None:
    (kiln,), _ = told("title,doi\nA Kiln,10.1000/Kiln; 10.1000/POT\n", "papers.csv")
    assert kiln.doi == "10.1000/kiln"
    assert kiln.links == ("https://doi.org/10.1000/kiln", "https://doi.org/10.1000/pot")


@pytest.mark.parametrize(
    ("names", "found"),
    [
        ("['Ann Sand', \"Bo O'Clay\"]", ["Ann Sand", "Bo O'Clay"]),
        ('["Sand, Ann", "Clay, Bo"]', ["Ann Sand", "Bo Clay"]),
        ("['Ann Sand' 'Bo Clay']", ["Ann Sand", "Bo Clay"]),
    ],
)
def test_names_in_a_column_may_be_a_list(paper_in: OnePaper, names: str, found: list[str]) -> None:
    row = ['"' + names.replace('"', '""') + '"', TITLE, ABSTRACT]
    kiln = paper_in("authors,title,abstract\n" + ",".join(row) + "\n", "papers.csv")
    assert [each.name for each in kiln.authors] == found


@pytest.mark.parametrize(
    ("header", "row"),
    [
        (  # Web of Science
            "PT\tAU\tBA\tAF\tTI\tSO\tAB\tPD\tPY\tDI",
            "J\tSand, A; Clay, B\t\tSand, Ann; Clay, Bo\tA Kiln\tKilns\tWe fire clay.\t\t2021\t"
            "10.1000/kiln",
        ),
        (  # IEEE Xplore
            '"Document Title",Authors,"Publication Title","Publication Year","Abstract","DOI"',
            '"A Kiln","Ann Sand; Bo Clay","Kilns","2021","We fire clay.","10.1000/kiln"',
        ),
        (  # Zotero
            '"Item Type","Publication Year","Author","Title","Publication Title","DOI",'
            '"Abstract Note","Date"',
            '"journalArticle","2021","Sand, Ann; Clay, Bo","A Kiln","Kilns","10.1000/kiln",'
            '"We fire clay.","2021"',
        ),
        (  # PubMed
            "PMID,Title,Authors,Journal/Book,Publication Year,Create Date,DOI,Abstract",
            '1,A Kiln,"Ann Sand, Bo Clay",Kilns,2021,2021/05/02,10.1000/kiln,We fire clay.',
        ),
        (  # Springer, and in its words an abstract
            "Item Title,Publication Title,Item DOI,Authors,Publication Year,Abstract",
            "A Kiln,Kilns,10.1000/kiln,Ann Sand; Bo Clay,2021,We fire clay.",
        ),
    ],
)
def test_tables_of_services_are_read(paper_in: OnePaper, header: str, row: str) -> None:
    kiln = paper_in(f"\ufeff{header}\r\n{row}\r\n", "export.txt")
    assert (kiln.title, kiln.abstract) == (TITLE, ABSTRACT)
    assert [each.name for each in kiln.authors] == ["Ann Sand", "Bo Clay"]
    assert (kiln.venue, kiln.doi, str(kiln.published)) == ("Kilns", "10.1000/kiln", "2021")


@pytest.mark.parametrize("kind", ["new", "replace"])
def test_feeds_of_new_papers_on_arxiv(paper_in: OnePaper, kind: str) -> None:
    said = f"arXiv:2104.07857v1 Announce Type: {kind} \nAbstract: We fire clay."
    rss = f"""<?xml version='1.0' encoding='UTF-8'?>
<rss xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns:dc="http://purl.org/dc/elements/1.1/"
version="2.0"><channel><title>cs.LG updates on arXiv.org</title><description>News</description>
<item><title>A Kiln</title><link>https://arxiv.org/abs/2104.07857</link>
<description>{said}</description><pubDate>Fri, 16 Apr 2021 00:00:00 -0400</pubDate>
<dc:creator>Ann Sand, Bo Clay</dc:creator></item></channel></rss>
"""
    atom = f"""<?xml version='1.0' encoding='UTF-8'?>
<feed xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns="http://www.w3.org/2005/Atom">
<title>cs.LG updates on arXiv.org</title><entry><id>oai:arXiv.org:2104.07857v1</id>
<title>A Kiln</title><summary>{said}</summary><published>2021-04-16T00:00:00-04:00</published>
<dc:creator>Ann Sand, Bo Clay</dc:creator></entry></feed>
"""
    for feed in (rss, atom):
        kiln = paper_in(feed, "feed")
        assert (kiln.title, kiln.abstract, kiln.arxiv_id) == (TITLE, ABSTRACT, "2104.07857v1")
        assert [each.name for each in kiln.authors] == ["Ann Sand", "Bo Clay"]
        assert str(kiln.published) == ("2021-04-16" if kind == "new" else "2021-04")


def test_quotation_marks_of_the_web_of_science_are_of_the_text(told: Read) -> None:
    header = "PT\tAU\tTI\tAB\tPY"
    rows = ['J\tSand, A\t"Hot\tWe fire clay.\t2021', 'J\tClay, B\t"Cool" Kilns\tWe cool.\t2020']
    (hot, cool), problems = told("\n".join((header, *rows)) + "\n", "savedrecs.txt")
    assert not problems
    assert (hot.title, hot.abstract, cool.title) == ('"Hot', ABSTRACT, '"Cool" Kilns')
