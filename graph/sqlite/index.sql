-- The store of record: papers as they were read, and what follows from them. The next build adds
-- what the store of an earlier version lacks.
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- Papers and entities. `details` of entities: aliases, broader ids and the catalogue's year, as JSON.
CREATE TABLE IF NOT EXISTS work (
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
CREATE INDEX IF NOT EXISTS work_by_name ON work (type, name_order, id);
-- Papers in the two orders of their dates: see selection.py.
CREATE INDEX IF NOT EXISTS paper_by_date ON work (date_order, id) WHERE type = 'paper';
CREATE INDEX IF NOT EXISTS paper_by_newest ON work (
    CASE WHEN date_order >= '1' THEN 1 ELSE -CAST(replace(date_order, '-', '') AS INTEGER) END, id
) WHERE type = 'paper';

-- Entities in the order of how many papers name them, with what pages of them choose by.
CREATE INDEX IF NOT EXISTS entity_by_papers ON work (-papers, id, kind, general) WHERE type = 'entity';

-- By entity, how many papers of each year name it; those without a date are of the year 10000.
CREATE TABLE IF NOT EXISTS entity_year (
    entity INTEGER NOT NULL, year INTEGER NOT NULL, papers INTEGER NOT NULL,
    PRIMARY KEY (entity, year)
) WITHOUT ROWID;

-- How works are called: `rank` 0 by name, 1 by alias, 2 by title.
CREATE TABLE IF NOT EXISTS spelling (
    key TEXT NOT NULL,
    rank INTEGER NOT NULL,
    work INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (key, rank, work)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS spelling_of_work ON spelling (work);
-- The trigrams of the names of a work, whose number is the rowid.
CREATE VIRTUAL TABLE IF NOT EXISTS trigram USING fts5(
    names, content = '', detail = 'none', tokenize = 'trigram case_sensitive 1'
);

-- The words of titles and abstracts, without their texts; papers are numbered as in `work`.
CREATE VIRTUAL TABLE IF NOT EXISTS text USING fts5(
    title, abstract, content = '', tokenize = 'porter unicode61 remove_diacritics 2'
);

-- What linking needs of a paper: its names with kinds, forms and the ids they were linked to.
CREATE TABLE IF NOT EXISTS paper (
    work INTEGER PRIMARY KEY,
    extractor TEXT NOT NULL,
    digest BLOB NOT NULL,
    names TEXT NOT NULL,
    contribution INTEGER
);

-- What was read in a paper: its record in the interchange format, compressed by zlib.
CREATE TABLE IF NOT EXISTS record (paper INTEGER PRIMARY KEY, extraction BLOB NOT NULL);

-- `parts`: fragments of the statement resources in the paper's graph, the surest first.
CREATE TABLE IF NOT EXISTS statement (
    subject INTEGER NOT NULL,
    relation TEXT NOT NULL,
    entity INTEGER NOT NULL,
    confidence REAL NOT NULL,
    parts TEXT NOT NULL,
    PRIMARY KEY (subject, relation, entity)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS statement_of_entity ON statement (entity, relation, confidence);

-- How statements of COMPARES_WITH turned out, by their fragments. `outcome` is JSON.
CREATE TABLE IF NOT EXISTS comparison (
    paper INTEGER NOT NULL, part TEXT NOT NULL, outcome TEXT NOT NULL, PRIMARY KEY (paper, part)
) WITHOUT ROWID;

-- Lineage edges as each paper (or, for facts of the catalogue, the child itself) states them.
CREATE TABLE IF NOT EXISTS derivation (
    subject INTEGER NOT NULL,
    child INTEGER NOT NULL,
    parent INTEGER NOT NULL,
    relation TEXT NOT NULL,
    confidence REAL NOT NULL,
    PRIMARY KEY (parent, child, subject, relation)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS derivation_of_subject ON derivation (subject);

-- The edges of lineage, each with the number of its derivations.
CREATE TABLE IF NOT EXISTS edge (
    child INTEGER NOT NULL,
    parent INTEGER NOT NULL,
    derivations INTEGER NOT NULL,
    PRIMARY KEY (child, parent)
) WITHOUT ROWID;
DROP INDEX IF EXISTS derivation_of_child; -- Of an earlier version: the key of edges serves as well.
CREATE TRIGGER IF NOT EXISTS derived AFTER INSERT ON derivation BEGIN
    INSERT INTO edge VALUES (new.child, new.parent, 1)
    ON CONFLICT DO UPDATE SET derivations = derivations + 1;
END;
CREATE TRIGGER IF NOT EXISTS no_longer_derived AFTER DELETE ON derivation BEGIN
    UPDATE edge SET derivations = derivations - 1 WHERE child = old.child AND parent = old.parent;
    DELETE FROM edge WHERE child = old.child AND parent = old.parent AND derivations = 0;
END;

-- How many there are: papers, entities of each kind, statements of each relation, edges.
CREATE TABLE IF NOT EXISTS count (
    what TEXT NOT NULL, name TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (what, name)
) WITHOUT ROWID;
CREATE TRIGGER IF NOT EXISTS count_work AFTER INSERT ON work BEGIN
    INSERT INTO count VALUES (new.type, coalesce(new.kind, ''), 1)
    ON CONFLICT DO UPDATE SET number = number + 1;
END;
CREATE TRIGGER IF NOT EXISTS count_work_less AFTER DELETE ON work BEGIN
    UPDATE count SET number = number - 1
    WHERE what = old.type AND name = coalesce(old.kind, '');
END;
CREATE TRIGGER IF NOT EXISTS count_kind AFTER UPDATE OF kind ON work WHEN old.kind <> new.kind BEGIN
    UPDATE count SET number = number - 1 WHERE what = old.type AND name = old.kind;
    INSERT INTO count VALUES (new.type, new.kind, 1)
    ON CONFLICT DO UPDATE SET number = number + 1;
END;
CREATE TRIGGER IF NOT EXISTS count_statement AFTER INSERT ON statement BEGIN
    INSERT INTO count VALUES ('statement', new.relation, 1)
    ON CONFLICT DO UPDATE SET number = number + 1;
END;
CREATE TRIGGER IF NOT EXISTS count_statement_less AFTER DELETE ON statement BEGIN
    UPDATE count SET number = number - 1 WHERE what = 'statement' AND name = old.relation;
END;
CREATE TRIGGER IF NOT EXISTS count_edge AFTER INSERT ON edge BEGIN
    INSERT INTO count VALUES ('edge', '', 1) ON CONFLICT DO UPDATE SET number = number + 1;
END;
CREATE TRIGGER IF NOT EXISTS count_edge_less AFTER DELETE ON edge BEGIN
    UPDATE count SET number = number - 1 WHERE what = 'edge';
END;

CREATE TABLE IF NOT EXISTS broader (
    narrower INTEGER NOT NULL,
    broader INTEGER NOT NULL,
    PRIMARY KEY (broader, narrower)
) WITHOUT ROWID;

-- Entities of the catalogue. `aliases`: those that it has, as JSON; NULL where people decided
-- otherwise than it.
CREATE TABLE IF NOT EXISTS concept (work INTEGER PRIMARY KEY, aliases TEXT);

-- Authors as papers name them, in their places from 1; `id` is that of a registry.
CREATE TABLE IF NOT EXISTS author (
    paper INTEGER NOT NULL,
    place INTEGER NOT NULL,
    name TEXT NOT NULL,
    orcid TEXT,
    id TEXT,
    affiliation TEXT,
    PRIMARY KEY (paper, place)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS author_of_orcid ON author (orcid) WHERE orcid IS NOT NULL;
CREATE INDEX IF NOT EXISTS author_of_id ON author (id) WHERE id IS NOT NULL;

-- Who the authors are. `details`: other names, ids of registries and affiliations, as JSON.
CREATE TABLE IF NOT EXISTS person (
    no INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    orcid TEXT,
    details TEXT NOT NULL,
    papers INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS authorship (
    paper INTEGER NOT NULL,
    place INTEGER NOT NULL,
    person INTEGER NOT NULL,
    PRIMARY KEY (paper, place)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS authorship_of_person ON authorship (person);

-- How people are called: their names as `slug` has them, and their ids without a prefix.
CREATE TABLE IF NOT EXISTS person_name (key TEXT NOT NULL, person INTEGER NOT NULL, PRIMARY KEY (key, person))
WITHOUT ROWID;

-- Where papers come from: `role` is organization or venue, `words` as `word_key` has them.
CREATE TABLE IF NOT EXISTS provenance (
    paper INTEGER NOT NULL,
    role TEXT NOT NULL,
    words TEXT NOT NULL,
    PRIMARY KEY (paper, role, words)
) WITHOUT ROWID;

-- What identifies papers, what their lists of references name, and what that comes to. `code` is a
-- digest of a key; `rank` is 0 for the key of a reference that is the surest.
CREATE TABLE IF NOT EXISTS identifier (
    paper INTEGER NOT NULL, code INTEGER NOT NULL, PRIMARY KEY (paper, code)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS identifier_of_code ON identifier (code);
CREATE TABLE IF NOT EXISTS reference (
    paper INTEGER NOT NULL,
    number INTEGER NOT NULL,
    rank INTEGER NOT NULL,
    code INTEGER NOT NULL,
    PRIMARY KEY (paper, number, rank)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS reference_of_code ON reference (code);
CREATE TABLE IF NOT EXISTS citation (
    citing INTEGER NOT NULL, cited INTEGER NOT NULL, PRIMARY KEY (citing, cited)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS citation_of_cited ON citation (cited);

-- Files that were read whole.
CREATE TABLE IF NOT EXISTS reading (
    file TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    reading TEXT NOT NULL,
    PRIMARY KEY (reading, file, sha256)
) WITHOUT ROWID;
