-- The index of a generation: what RDF has no order or count for. It is derived from the graph.
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- Papers and entities. `details` of entities: aliases and broader ids, as JSON.
CREATE TABLE work (
    no INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    type TEXT NOT NULL,
    name TEXT NOT NULL,
    name_order TEXT NOT NULL,
    kind TEXT,
    general INTEGER,
    details TEXT,
    published TEXT,
    date_order TEXT NOT NULL,
    papers INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX work_by_name ON work (type, name_order, id);

-- How works are called: `rank` 0 by name, 1 by alias, 2 by title.
CREATE TABLE spelling (
    key TEXT NOT NULL,
    rank INTEGER NOT NULL,
    work INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (key, rank, work)
) WITHOUT ROWID;
CREATE INDEX spelling_of_work ON spelling (work);

-- What linking needs of a paper: its names with kinds, forms and the ids they were linked to.
CREATE TABLE paper (
    work INTEGER PRIMARY KEY,
    extractor TEXT NOT NULL,
    digest BLOB NOT NULL,
    names TEXT NOT NULL,
    contribution INTEGER
);

-- `parts`: fragments of the statement resources in the paper's graph, the surest first.
CREATE TABLE statement (
    subject INTEGER NOT NULL,
    relation TEXT NOT NULL,
    entity INTEGER NOT NULL,
    confidence REAL NOT NULL,
    parts TEXT NOT NULL,
    PRIMARY KEY (subject, relation, entity)
) WITHOUT ROWID;
CREATE INDEX statement_of_entity ON statement (entity, relation, confidence);

-- Lineage edges as each paper (or, for facts of the catalogue, the child itself) states them.
CREATE TABLE derivation (
    subject INTEGER NOT NULL,
    child INTEGER NOT NULL,
    parent INTEGER NOT NULL,
    relation TEXT NOT NULL,
    confidence REAL NOT NULL,
    PRIMARY KEY (subject, child, parent, relation)
) WITHOUT ROWID;

CREATE TABLE broader (
    narrower INTEGER NOT NULL,
    broader INTEGER NOT NULL,
    PRIMARY KEY (broader, narrower)
) WITHOUT ROWID;

-- Files that were read whole.
CREATE TABLE reading (
    file TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    reading TEXT NOT NULL,
    PRIMARY KEY (reading, file, sha256)
) WITHOUT ROWID;
