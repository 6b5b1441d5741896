// The constraints and indexes of a graph in Neo4j. Each is made once; running this again changes
// nothing. Names that begin with `stemma_` are Stemma's own.

// An id names one work. What looks a work up by its id is answered from these.
CREATE CONSTRAINT stemma_paper_id IF NOT EXISTS FOR (p:Paper) REQUIRE p.id IS UNIQUE;
CREATE CONSTRAINT stemma_entity_id IF NOT EXISTS FOR (e:Entity) REQUIRE e.id IS UNIQUE;

CREATE CONSTRAINT stemma_author_id IF NOT EXISTS FOR (a:Author) REQUIRE a.id IS UNIQUE;

// Looking up by name: MATCH (e:Entity {name: "ZeRO-Infinity"}).
CREATE INDEX stemma_entity_name IF NOT EXISTS FOR (e:Entity) ON (e.name);
CREATE INDEX stemma_author_name IF NOT EXISTS FOR (a:Author) ON (a.name);
CREATE INDEX stemma_paper_year IF NOT EXISTS FOR (p:Paper) ON (p.year);

// Words of names and titles: CALL db.index.fulltext.queryNodes("stemma_names", "attention").
CREATE FULLTEXT INDEX stemma_names IF NOT EXISTS
FOR (n:Entity|Paper) ON EACH [n.name, n.aliases, n.title];

// What Stemma itself seeks and sorts by: the keys that all spellings of a name share, and names
// without regard to case.
CREATE TEXT INDEX stemma_entity_keys IF NOT EXISTS FOR (e:Entity) ON (e._keys);
CREATE TEXT INDEX stemma_paper_keys IF NOT EXISTS FOR (p:Paper) ON (p._keys);
CREATE TEXT INDEX stemma_author_keys IF NOT EXISTS FOR (a:Author) ON (a._keys);
CREATE INDEX stemma_entity_order IF NOT EXISTS FOR (e:Entity) ON (e._order);
CREATE INDEX stemma_paper_order IF NOT EXISTS FOR (p:Paper) ON (p._order);

// Stemma's notes on its own work: what it read in each paper, which files it has read, and on the
// graph as a whole; and how papers use names, and what connects these. Nothing else refers to these
// nodes.
CREATE CONSTRAINT stemma_reading IF NOT EXISTS FOR (r:_StemmaReading) REQUIRE r.paper IS UNIQUE;
CREATE CONSTRAINT stemma_file IF NOT EXISTS FOR (f:_StemmaFile) REQUIRE f.key IS UNIQUE;
CREATE CONSTRAINT stemma_note IF NOT EXISTS FOR (n:_StemmaNote) REQUIRE n.name IS UNIQUE;
CREATE CONSTRAINT stemma_use IF NOT EXISTS FOR (u:_StemmaUse) REQUIRE u.code IS UNIQUE;
CREATE CONSTRAINT stemma_tie IF NOT EXISTS FOR (t:_StemmaTie) REQUIRE t.code IS UNIQUE;
