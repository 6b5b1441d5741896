// The constraints and indexes of a graph in Neo4j. Each is made once; running this again changes
// nothing. Names that begin with `stemma_` are Stemma's own.

// An id names one work or author.
CREATE CONSTRAINT stemma_paper_id IF NOT EXISTS FOR (p:Paper) REQUIRE p.id IS UNIQUE;
CREATE CONSTRAINT stemma_entity_id IF NOT EXISTS FOR (e:Entity) REQUIRE e.id IS UNIQUE;
CREATE CONSTRAINT stemma_author_id IF NOT EXISTS FOR (a:Author) REQUIRE a.id IS UNIQUE;
CREATE INDEX stemma_retired_id IF NOT EXISTS FOR (n:Retired) ON (n.id);

// What other data is joined by.
CREATE INDEX stemma_paper_doi IF NOT EXISTS FOR (p:Paper) ON (p.doi);
CREATE INDEX stemma_paper_arxiv IF NOT EXISTS FOR (p:Paper) ON (p.arxiv);
CREATE TEXT INDEX stemma_paper_title IF NOT EXISTS FOR (p:Paper) ON (p.title);
CREATE INDEX stemma_author_orcid IF NOT EXISTS FOR (a:Author) ON (a.orcid);
CREATE INDEX stemma_author_name IF NOT EXISTS FOR (a:Author) ON (a.name);
CREATE INDEX stemma_entity_name IF NOT EXISTS FOR (e:Entity) ON (e.name);

CREATE INDEX stemma_entity_kind IF NOT EXISTS FOR (e:Entity) ON (e.kind);
CREATE INDEX stemma_entity_year IF NOT EXISTS FOR (e:Entity) ON (e.year);
CREATE INDEX stemma_paper_year IF NOT EXISTS FOR (p:Paper) ON (p.year);

// Words of names, titles and sentences: CALL db.index.fulltext.queryNodes("stemma_names", "attention").
CREATE FULLTEXT INDEX stemma_names IF NOT EXISTS
FOR (n:Entity|Paper) ON EACH [n.name, n.aliases, n.title];
CREATE FULLTEXT INDEX stemma_evidence IF NOT EXISTS
FOR ()-[r:INTRODUCES|BUILDS_ON|IMPROVES_ON|COMPARES_WITH|USES|RUNS_ON|EVALUATED_ON|MENTIONS]-()
ON EACH [r.evidence_text];

// All spellings of a name, and names without regard to case, in order.
CREATE TEXT INDEX stemma_entity_keys IF NOT EXISTS FOR (e:Entity) ON (e.search_keys);
CREATE TEXT INDEX stemma_paper_keys IF NOT EXISTS FOR (p:Paper) ON (p.search_keys);
CREATE TEXT INDEX stemma_author_keys IF NOT EXISTS FOR (a:Author) ON (a.search_keys);
CREATE INDEX stemma_entity_order IF NOT EXISTS FOR (e:Entity) ON (e.sort_name);
CREATE INDEX stemma_paper_order IF NOT EXISTS FOR (p:Paper) ON (p.sort_name);
