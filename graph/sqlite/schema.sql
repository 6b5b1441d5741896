-- The tables of a store, and the views that people read: docs/sql.md describes these.
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
-- What the latest builds changed (JSON: see history.py).
CREATE TABLE build (number INTEGER PRIMARY KEY, record TEXT NOT NULL);

-- The latest commits, each with a digest of all until then; and of works and people (ids) that one
-- after the first of them touched, which may be gone, the last that did.
CREATE TABLE commits (number INTEGER PRIMARY KEY, mark TEXT NOT NULL);
CREATE TABLE change (id TEXT PRIMARY KEY, last_commit INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX change_by_commit ON change (last_commit);

-- Papers and entities. `details` as JSON: of entities aliases, broader ids and the catalogue's year,
-- of papers DOI, arXiv id without its version, and venue.
CREATE TABLE work (
    no INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    type TEXT NOT NULL,
    name TEXT NOT NULL,
    kind TEXT,
    general INTEGER,
    details TEXT,
    published TEXT,
    date_order TEXT NOT NULL,
    papers INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX work_by_name ON work (type, name COLLATE NOCASE);
-- Papers in the two orders of their dates: see selection.py.
CREATE INDEX paper_by_date ON work (date_order) WHERE type = 'paper';
CREATE INDEX paper_by_newest ON work (
    CASE WHEN date_order >= '1' THEN 1 ELSE -CAST(replace(date_order, '-', '') AS INTEGER) END
) WHERE type = 'paper';

-- Entities in the order of how many papers name them, with what pages of them choose by.
CREATE INDEX entity_by_papers ON work (-papers, kind, general) WHERE type = 'entity';

-- By entity, how many papers of each year name it; those without a date are of the year 10000.
CREATE TABLE entity_year (
    entity INTEGER NOT NULL, year INTEGER NOT NULL, papers INTEGER NOT NULL,
    PRIMARY KEY (entity, year)
) WITHOUT ROWID;

-- How works are called: `rank` 0 by name, 1 by alias, 2 by title. `text` is that of an alias; the
-- others are in `work`.
CREATE TABLE spelling (
    number INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    rank INTEGER NOT NULL,
    work INTEGER NOT NULL,
    text TEXT,
    UNIQUE (key, rank, work)
);
CREATE INDEX spelling_of_work ON spelling (work);
CREATE TRIGGER no_longer_there AFTER DELETE ON work BEGIN
    DELETE FROM spelling WHERE work = old.no;
    DELETE FROM broader WHERE narrower = old.no;
    DELETE FROM concept WHERE work = old.no;
END;

-- The trigrams of the keys of spellings.
CREATE VIRTUAL TABLE trigram USING fts5(
    key, content = 'spelling', content_rowid = 'number', columnsize = 0, detail = 'none',
    tokenize = 'trigram case_sensitive 1'
);
CREATE TRIGGER spelt AFTER INSERT ON spelling BEGIN
    INSERT INTO trigram (rowid, key) VALUES (new.number, new.key);
END;
CREATE TRIGGER no_longer_spelt AFTER DELETE ON spelling BEGIN
    INSERT INTO trigram (trigram, rowid, key) VALUES ('delete', old.number, old.key);
END;

-- The words of titles and abstracts, without their texts; papers are numbered as in `work`.
CREATE VIRTUAL TABLE text USING fts5(
    title, abstract, content = '', tokenize = 'porter unicode61 remove_diacritics 2'
);
INSERT INTO text (text, rank) VALUES ('pgsz', 2020); -- Four of its pages fit into one of the file.

-- What linking needs of a paper: its names with kinds, forms and the ids they were linked to, as
-- JSON, compressed.
CREATE TABLE paper (
    work INTEGER PRIMARY KEY,
    extractor TEXT NOT NULL,
    digest BLOB NOT NULL,
    names BLOB NOT NULL,
    contribution INTEGER
);

-- The same for all papers: names as papers use them (JSON), under which keys (codes) they are filed,
-- and which papers use them so, with the entity that they mean.
CREATE TABLE way_of_use (code INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE filed (key INTEGER NOT NULL, way INTEGER NOT NULL, PRIMARY KEY (key, way))
WITHOUT ROWID;
CREATE INDEX filed_way ON filed (way);
CREATE TRIGGER no_longer_used AFTER DELETE ON way_of_use BEGIN
    DELETE FROM filed WHERE way = old.code;
END;
CREATE TABLE name_use (
    way INTEGER NOT NULL, paper INTEGER NOT NULL, entity INTEGER NOT NULL, PRIMARY KEY (way, paper)
) WITHOUT ROWID;
CREATE INDEX name_use_of_paper ON name_use (paper);
CREATE INDEX name_use_by_entity ON name_use (entity);

-- What was read in a paper: its record in the interchange format, compressed by zlib.
CREATE TABLE record (paper INTEGER PRIMARY KEY, extraction BLOB NOT NULL);

-- What title and abstract mean, as the sentence encoder packs it.
CREATE TABLE vector (paper INTEGER PRIMARY KEY, packed BLOB NOT NULL);

-- `sentences`: numbers of the sentences that state it, as JSON, the strongest first. Facts of the
-- catalogue have no `origin`.
CREATE TABLE statement (
    subject INTEGER NOT NULL,
    relation TEXT NOT NULL,
    entity INTEGER NOT NULL,
    confidence REAL NOT NULL,
    sentences TEXT NOT NULL,
    origin INTEGER,
    confirmed INTEGER NOT NULL,
    PRIMARY KEY (subject, relation, entity)
) WITHOUT ROWID;
CREATE INDEX statement_of_entity ON statement (entity, relation, confidence);

-- Which rule or model made statements.
CREATE TABLE origin (no INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
-- The sentences of papers that state anything, with their places in a text in characters.
CREATE TABLE sentence (
    paper INTEGER NOT NULL,
    number INTEGER NOT NULL,
    field TEXT NOT NULL,
    starts INTEGER NOT NULL,
    ends INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (paper, number)
) WITHOUT ROWID;

-- How statements of COMPARES_WITH turned out, the surest first. `outcome` is JSON.
CREATE TABLE comparison (
    paper INTEGER NOT NULL,
    entity INTEGER NOT NULL,
    number INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    PRIMARY KEY (paper, entity, number)
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

-- Files that were read whole.
CREATE TABLE reading (
    file TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    reading TEXT NOT NULL,
    PRIMARY KEY (reading, file, sha256)
) WITHOUT ROWID;

CREATE VIEW papers AS
SELECT id, name AS title, published, 
    CASE WHEN published GLOB '[0-9][0-9][0-9][0-9]*' THEN CAST(substr(published, 1, 4) AS INTEGER) END AS year,
    json_extract(details, '$[0]') AS doi, json_extract(details, '$[1]') AS arxiv,
    json_extract(details, '$[2]') AS venue
FROM work WHERE type = 'paper';
CREATE VIEW entities AS
SELECT id, name, kind, general, published, 
    CASE WHEN published GLOB '[0-9][0-9][0-9][0-9]*' THEN CAST(substr(published, 1, 4) AS INTEGER) END AS year, papers
FROM work WHERE type = 'entity';
CREATE VIEW names AS
SELECT w.id AS work, coalesce(text, w.name) AS name FROM spelling JOIN work w ON w.no = work;
CREATE VIEW statements AS
SELECT s.id AS subject, s.name AS subject_name, s.published, t.relation, e.id AS entity,
    e.name AS entity_name, e.kind, confidence, (
        SELECT group_concat(text, ' ') FROM json_each(t.sentences) each
        CROSS JOIN sentence ON sentence.paper = t.subject AND number = each.value
    ) AS evidence, coalesce(origin.name, 'catalogue') AS origin, confirmed
FROM statement t JOIN work s ON s.no = t.subject JOIN work e ON e.no = t.entity
LEFT JOIN origin ON origin.no = t.origin;
CREATE VIEW evidence AS
SELECT s.id AS subject, t.relation, e.id AS entity, each.key + 1 AS place, field, starts, ends, text
FROM statement t JOIN work s ON s.no = t.subject JOIN work e ON e.no = t.entity
CROSS JOIN json_each(t.sentences) each
CROSS JOIN sentence ON sentence.paper = t.subject AND number = each.value;
CREATE VIEW lineage AS
SELECT c.id AS child, c.name AS child_name, p.id AS parent, p.name AS parent_name, d.relation,
    d.confidence, s.id AS stated_by, c.published
FROM derivation d JOIN work c ON c.no = d.child JOIN work p ON p.no = d.parent
JOIN work s ON s.no = d.subject;
CREATE VIEW authors AS
SELECT person.id, person.name, orcid, w.id AS paper, w.name AS title, place
FROM authorship JOIN person ON person.no = person JOIN work w ON w.no = paper;
CREATE VIEW citations AS
SELECT a.id AS citing, a.name AS citing_title, b.id AS cited, b.name AS cited_title
FROM citation JOIN work a ON a.no = citing JOIN work b ON b.no = cited;
CREATE VIEW builds AS
SELECT number, json_extract(record, '$.started') AS started,
    json_extract(record, '$.finished') AS finished,
    json_extract(record, '$.papers.added.count') AS papers_added,
    json_extract(record, '$.papers.removed.count') AS papers_removed,
    json_extract(record, '$.updated') AS papers_updated
FROM build;
