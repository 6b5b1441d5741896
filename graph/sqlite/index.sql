-- The store of record: papers as they were read, and what follows from them.
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
-- Papers in the two orders of their dates: see selection.py.
CREATE INDEX paper_by_date ON work (date_order, id) WHERE type = 'paper';
CREATE INDEX paper_by_newest ON work (
    CASE WHEN date_order >= '1' THEN 1 ELSE -CAST(replace(date_order, '-', '') AS INTEGER) END, id
) WHERE type = 'paper';

-- By entity, how many papers of each year name it; those without a date are of the year 10000.
CREATE TABLE entity_year (
    entity INTEGER NOT NULL, year INTEGER NOT NULL, papers INTEGER NOT NULL,
    PRIMARY KEY (entity, year)
) WITHOUT ROWID;

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

-- What was read in a paper: its record in the interchange format, compressed by zlib.
CREATE TABLE record (paper INTEGER PRIMARY KEY, extraction BLOB NOT NULL);

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

-- How statements of COMPARES_WITH turned out, by their fragments. `outcome` is JSON.
CREATE TABLE comparison (
    paper INTEGER NOT NULL, part TEXT NOT NULL, outcome TEXT NOT NULL, PRIMARY KEY (paper, part)
) WITHOUT ROWID;

-- Lineage edges as each paper (or, for facts of the catalogue, the child itself) states them.
CREATE TABLE derivation (
    subject INTEGER NOT NULL,
    child INTEGER NOT NULL,
    parent INTEGER NOT NULL,
    relation TEXT NOT NULL,
    confidence REAL NOT NULL,
    PRIMARY KEY (parent, child, subject, relation)
) WITHOUT ROWID;
CREATE INDEX derivation_of_child ON derivation (child);
CREATE INDEX derivation_of_subject ON derivation (subject);

-- The edges of lineage, each with the number of its derivations.
CREATE TABLE edge (
    child INTEGER NOT NULL,
    parent INTEGER NOT NULL,
    derivations INTEGER NOT NULL,
    PRIMARY KEY (child, parent)
) WITHOUT ROWID;
CREATE TRIGGER derived AFTER INSERT ON derivation BEGIN
    INSERT INTO edge VALUES (new.child, new.parent, 1)
    ON CONFLICT DO UPDATE SET derivations = derivations + 1;
END;
CREATE TRIGGER no_longer_derived AFTER DELETE ON derivation BEGIN
    UPDATE edge SET derivations = derivations - 1 WHERE child = old.child AND parent = old.parent;
    DELETE FROM edge WHERE child = old.child AND parent = old.parent AND derivations = 0;
END;

-- How many there are: papers, entities of each kind, statements of each relation, edges.
CREATE TABLE count (
    what TEXT NOT NULL, name TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (what, name)
) WITHOUT ROWID;
CREATE TRIGGER count_work AFTER INSERT ON work BEGIN
    INSERT INTO count VALUES (new.type, coalesce(new.kind, ''), 1)
    ON CONFLICT DO UPDATE SET number = number + 1;
END;
CREATE TRIGGER count_work_less AFTER DELETE ON work BEGIN
    UPDATE count SET number = number - 1
    WHERE what = old.type AND name = coalesce(old.kind, '');
END;
CREATE TRIGGER count_kind AFTER UPDATE OF kind ON work WHEN old.kind <> new.kind BEGIN
    UPDATE count SET number = number - 1 WHERE what = old.type AND name = old.kind;
    INSERT INTO count VALUES (new.type, new.kind, 1)
    ON CONFLICT DO UPDATE SET number = number + 1;
END;
CREATE TRIGGER count_statement AFTER INSERT ON statement BEGIN
    INSERT INTO count VALUES ('statement', new.relation, 1)
    ON CONFLICT DO UPDATE SET number = number + 1;
END;
CREATE TRIGGER count_statement_less AFTER DELETE ON statement BEGIN
    UPDATE count SET number = number - 1 WHERE what = 'statement' AND name = old.relation;
END;
CREATE TRIGGER count_edge AFTER INSERT ON edge BEGIN
    INSERT INTO count VALUES ('edge', '', 1) ON CONFLICT DO UPDATE SET number = number + 1;
END;
CREATE TRIGGER count_edge_less AFTER DELETE ON edge BEGIN
    UPDATE count SET number = number - 1 WHERE what = 'edge';
END;

CREATE TABLE broader (
    narrower INTEGER NOT NULL,
    broader INTEGER NOT NULL,
    PRIMARY KEY (broader, narrower)
) WITHOUT ROWID;

-- Entities of the catalogue. `aliases`: those that it has, as JSON; NULL where people decided
-- otherwise than it.
CREATE TABLE concept (work INTEGER PRIMARY KEY, aliases TEXT);

-- Authors as papers name them, in their places from 1; `id` is that of a registry.
CREATE TABLE author (
    paper INTEGER NOT NULL,
    place INTEGER NOT NULL,
    name TEXT NOT NULL,
    orcid TEXT,
    id TEXT,
    affiliation TEXT,
    PRIMARY KEY (paper, place)
) WITHOUT ROWID;
CREATE INDEX author_of_orcid ON author (orcid) WHERE orcid IS NOT NULL;
CREATE INDEX author_of_id ON author (id) WHERE id IS NOT NULL;

-- Who the authors are. `details`: other names, ids of registries and affiliations, as JSON.
CREATE TABLE person (
    no INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    orcid TEXT,
    details TEXT NOT NULL,
    papers INTEGER NOT NULL
);
CREATE TABLE authorship (
    paper INTEGER NOT NULL,
    place INTEGER NOT NULL,
    person INTEGER NOT NULL,
    PRIMARY KEY (paper, place)
) WITHOUT ROWID;
CREATE INDEX authorship_of_person ON authorship (person);

-- How people are called: their names as `slug` has them, and their ids without a prefix.
CREATE TABLE person_name (key TEXT NOT NULL, person INTEGER NOT NULL, PRIMARY KEY (key, person))
WITHOUT ROWID;

-- Where papers come from: `role` is organization or venue, `words` as `word_key` has them.
CREATE TABLE provenance (
    paper INTEGER NOT NULL,
    role TEXT NOT NULL,
    words TEXT NOT NULL,
    PRIMARY KEY (paper, role, words)
) WITHOUT ROWID;

-- What identifies papers, what their lists of references name, and what that comes to. `code` is a
-- digest of a key; `rank` is 0 for the key of a reference that is the surest.
CREATE TABLE identifier (
    paper INTEGER NOT NULL, code INTEGER NOT NULL, PRIMARY KEY (paper, code)
) WITHOUT ROWID;
CREATE INDEX identifier_of_code ON identifier (code);
CREATE TABLE reference (
    paper INTEGER NOT NULL,
    number INTEGER NOT NULL,
    rank INTEGER NOT NULL,
    code INTEGER NOT NULL,
    PRIMARY KEY (paper, number, rank)
) WITHOUT ROWID;
CREATE INDEX reference_of_code ON reference (code);
CREATE TABLE citation (
    citing INTEGER NOT NULL, cited INTEGER NOT NULL, PRIMARY KEY (citing, cited)
) WITHOUT ROWID;
CREATE INDEX citation_of_cited ON citation (cited);

-- Files that were read whole. `faults`: what was wrong in a file when it was last read, as JSON.
CREATE TABLE reading (
    file TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    reading TEXT NOT NULL,
    faults TEXT,
    PRIMARY KEY (reading, file, sha256)
) WITHOUT ROWID;
