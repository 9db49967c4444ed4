-- SPDX-License-Identifier: GPL-3.0-or-later
-- The catalog's tables. Built from rows/*.csv by the catalog builder, which names the file and line of a row
-- that a constraint refuses; the constraint names below are written to be read in such a message.
-- All numbers are in SI base units (bytes, seconds, FLOP, watts, US dollars) unless the key's unit says otherwise.
PRAGMA user_version = 2;

-- How this database came to be: 'hash' of the row files, 'version' (newest date of any row), 'newest_price'.
CREATE TABLE meta (
    name  TEXT PRIMARY KEY NOT NULL,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The kinds of entry, in the order in which lists show them.
CREATE TABLE kind (
    kind     TEXT PRIMARY KEY NOT NULL,
    position INTEGER NOT NULL UNIQUE,
    title    TEXT NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO kind (kind, position, title) VALUES
    ('chip', 1, 'Chips'),
    ('instance', 2, 'Instances and UltraServers, as rented'),
    ('system', 3, 'Clusters and pods'),
    ('model', 4, 'Language models'),
    ('profile', 5, 'Software profiles'),
    ('region', 6, 'Regions'),
    ('storage', 7, 'Storage'),
    ('operation', 8, 'Operations: failures, restarts, purchase rules'),
    ('power', 9, 'Measured and estimated power'),
    ('collective', 10, 'Measured collectives'),
    ('latency', 11, 'Latencies'),
    ('accelerator_name', 12, 'Names of accelerators in published runs');

CREATE TABLE source (
    id         TEXT PRIMARY KEY NOT NULL,
    title      TEXT NOT NULL,
    url        TEXT NOT NULL,
    repository TEXT NOT NULL,
    path       TEXT NOT NULL,
    note       TEXT NOT NULL,
    CONSTRAINT source_has_an_id CHECK (id <> ''),
    CONSTRAINT source_has_a_title CHECK (title <> ''),
    CONSTRAINT source_url_is_a_web_address CHECK (url = '' OR url LIKE 'http://%' OR url LIKE 'https://%')
) STRICT, WITHOUT ROWID;

-- What a key of a kind means. type 'reference' points at an entry of reference_kind.
CREATE TABLE key_definition (
    kind           TEXT NOT NULL REFERENCES kind (kind),
    key            TEXT NOT NULL,
    position       INTEGER NOT NULL,
    type           TEXT NOT NULL,
    reference_kind TEXT REFERENCES kind (kind),
    unit           TEXT NOT NULL,
    minimum        REAL,
    maximum        REAL,
    meaning        TEXT NOT NULL,
    PRIMARY KEY (kind, key),
    CONSTRAINT key_is_snake_case CHECK (key <> '' AND key NOT GLOB '*[^a-z0-9_]*'),
    CONSTRAINT key_type_is_known CHECK (type IN ('number', 'text', 'flag', 'reference')),
    CONSTRAINT reference_names_its_kind CHECK ((type = 'reference') = (reference_kind IS NOT NULL)),
    CONSTRAINT number_has_a_unit CHECK (type <> 'number' OR unit <> ''),
    CONSTRAINT bounds_belong_to_numbers CHECK (type = 'number' OR (minimum IS NULL AND maximum IS NULL)),
    CONSTRAINT bounds_in_order CHECK (minimum IS NULL OR maximum IS NULL OR minimum <= maximum),
    CONSTRAINT key_has_a_meaning CHECK (meaning <> '')
) STRICT, WITHOUT ROWID;

CREATE TABLE entry (
    kind TEXT NOT NULL REFERENCES kind (kind),
    id   TEXT NOT NULL,
    name TEXT NOT NULL,
    note TEXT NOT NULL,
    PRIMARY KEY (kind, id),
    CONSTRAINT entry_has_an_id CHECK (id <> ''),
    CONSTRAINT entry_has_a_name CHECK (name <> '')
) STRICT, WITHOUT ROWID;

-- One figure a row. Of the rows of one (kind, id, key) at most one is in use (adopted, or estimated where nothing
-- better exists). An empty value says that the figure was looked for and is not published; the note tells.
CREATE TABLE figure (
    kind       TEXT NOT NULL,
    id         TEXT NOT NULL,
    key        TEXT NOT NULL,
    ordinal    INTEGER NOT NULL,   -- 0 for the row in use, then the others as the files list them
    value      TEXT NOT NULL,
    number     REAL,
    status     TEXT NOT NULL,
    source     TEXT NOT NULL REFERENCES source (id),
    observed   TEXT NOT NULL,
    confidence TEXT NOT NULL,
    note       TEXT NOT NULL,
    PRIMARY KEY (kind, id, key, ordinal),
    FOREIGN KEY (kind, id) REFERENCES entry (kind, id),
    FOREIGN KEY (kind, key) REFERENCES key_definition (kind, key),
    CONSTRAINT status_is_known
        CHECK (status IN ('adopted', 'estimated', 'conflicting', 'superseded', 'rejected')),
    CONSTRAINT confidence_is_known CHECK (confidence IN ('high', 'medium', 'low')),
    CONSTRAINT observed_is_a_date CHECK (
        observed GLOB '[12][0-9][0-9][0-9]'
        OR observed GLOB '[12][0-9][0-9][0-9]-[01][0-9]'
        OR observed GLOB '[12][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]'),
    CONSTRAINT estimate_says_why CHECK (status <> 'estimated' OR note <> ''),
    CONSTRAINT conflict_says_why CHECK (status NOT IN ('conflicting', 'superseded', 'rejected') OR note <> ''),
    CONSTRAINT absence_says_so CHECK (value <> '' OR note <> '')
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX one_row_in_use ON figure (kind, id, key) WHERE status IN ('adopted', 'estimated');

CREATE TRIGGER figure_fits_its_key BEFORE INSERT ON figure BEGIN
    SELECT RAISE(ABORT, 'the key is not defined for this kind')
    WHERE NOT EXISTS (SELECT 1 FROM key_definition d WHERE d.kind = NEW.kind AND d.key = NEW.key);
    SELECT RAISE(ABORT, 'the entry does not exist')
    WHERE NOT EXISTS (SELECT 1 FROM entry e WHERE e.kind = NEW.kind AND e.id = NEW.id);
    SELECT RAISE(ABORT, 'the source does not exist')
    WHERE NOT EXISTS (SELECT 1 FROM source s WHERE s.id = NEW.source);
    SELECT RAISE(ABORT, 'a number is expected')
    FROM key_definition d
    WHERE d.kind = NEW.kind AND d.key = NEW.key AND d.type = 'number' AND NEW.value <> '' AND NEW.number IS NULL;
    SELECT RAISE(ABORT, 'the number is below the minimum of its key')
    FROM key_definition d
    WHERE d.kind = NEW.kind AND d.key = NEW.key AND NEW.number < d.minimum;
    SELECT RAISE(ABORT, 'the number is above the maximum of its key')
    FROM key_definition d
    WHERE d.kind = NEW.kind AND d.key = NEW.key AND NEW.number > d.maximum;
    SELECT RAISE(ABORT, 'a flag is 0 or 1')
    FROM key_definition d
    WHERE d.kind = NEW.kind AND d.key = NEW.key AND d.type = 'flag' AND NEW.value NOT IN ('', '0', '1');
    SELECT RAISE(ABORT, 'the value names an entry that does not exist')
    FROM key_definition d
    WHERE d.kind = NEW.kind AND d.key = NEW.key AND d.type = 'reference' AND NEW.value <> ''
      AND NOT EXISTS (SELECT 1 FROM entry e WHERE e.kind = d.reference_kind AND e.id = NEW.value);
END;

-- Other names under which sellers price the same hardware. chip or instance may be NULL: no row describes it.
CREATE TABLE alias (
    id       TEXT PRIMARY KEY NOT NULL,
    provider TEXT NOT NULL,
    chip     TEXT,
    chips    INTEGER NOT NULL,
    basis    TEXT NOT NULL,
    instance TEXT,
    note     TEXT NOT NULL,
    CONSTRAINT alias_counts_chips CHECK (chips > 0),
    CONSTRAINT alias_basis_is_known CHECK (basis IN ('instance', 'accelerator', 'slice'))
) STRICT, WITHOUT ROWID;

CREATE TRIGGER alias_names_what_exists BEFORE INSERT ON alias BEGIN
    SELECT RAISE(ABORT, 'the chip does not exist')
    WHERE NEW.chip IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM entry e WHERE e.kind = 'chip' AND e.id = NEW.chip);
    SELECT RAISE(ABORT, 'the instance does not exist')
    WHERE NEW.instance IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM entry e WHERE e.kind = 'instance' AND e.id = NEW.instance);
END;

-- Prices of a rented unit (an instance id, or an alias). region may be one that has no region entry.
CREATE TABLE price (
    provider     TEXT NOT NULL,
    unit_id      TEXT NOT NULL,
    region       TEXT NOT NULL,
    plan         TEXT NOT NULL,
    ordinal      INTEGER NOT NULL,   -- counts the rows of one (provider, unit, region, plan), newest listed first
    usd_per_hour REAL NOT NULL,
    observed     TEXT NOT NULL,
    source       TEXT NOT NULL REFERENCES source (id),
    confidence   TEXT NOT NULL,
    status       TEXT NOT NULL,
    note         TEXT NOT NULL,
    PRIMARY KEY (unit_id, region, plan, provider, ordinal),
    CONSTRAINT price_is_positive CHECK (usd_per_hour > 0 AND usd_per_hour < 1e6),
    CONSTRAINT price_status_is_known CHECK (status IN ('listed', 'suspect', 'superseded')),
    CONSTRAINT price_confidence_is_known CHECK (confidence IN ('high', 'medium', 'low')),
    CONSTRAINT price_plan_is_named CHECK (plan <> '' AND plan NOT GLOB '*[^a-z0-9_]*'),
    CONSTRAINT suspect_price_says_why CHECK (status <> 'suspect' OR note <> ''),
    CONSTRAINT price_observed_is_a_date CHECK (
        observed GLOB '[12][0-9][0-9][0-9]'
        OR observed GLOB '[12][0-9][0-9][0-9]-[01][0-9]'
        OR observed GLOB '[12][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]')
) STRICT, WITHOUT ROWID;

CREATE TRIGGER price_names_what_exists BEFORE INSERT ON price BEGIN
    SELECT RAISE(ABORT, 'the unit is neither an instance nor an alias')
    WHERE NOT EXISTS (SELECT 1 FROM entry e WHERE e.kind = 'instance' AND e.id = NEW.unit_id)
      AND NOT EXISTS (SELECT 1 FROM alias a WHERE a.id = NEW.unit_id);
    SELECT RAISE(ABORT, 'the source does not exist')
    WHERE NOT EXISTS (SELECT 1 FROM source s WHERE s.id = NEW.source);
END;

-- What others have said of the hardware, restated. What a check finds is computed when it is asked for: no verdict
-- is stored.
CREATE TABLE claim (
    id        TEXT PRIMARY KEY NOT NULL,
    position  INTEGER NOT NULL UNIQUE,   -- as the files list them
    statement TEXT NOT NULL,
    said_by   TEXT NOT NULL,
    source    TEXT NOT NULL REFERENCES source (id),
    observed  TEXT NOT NULL,
    note      TEXT NOT NULL,
    CONSTRAINT claim_id_is_lower_case CHECK (id <> '' AND id NOT GLOB '*[^a-z0-9-]*'),
    CONSTRAINT claim_says_something CHECK (statement <> ''),
    CONSTRAINT claim_has_somebody_who_said_it CHECK (said_by <> ''),
    CONSTRAINT claim_observed_is_a_date CHECK (
        observed GLOB '[12][0-9][0-9][0-9]'
        OR observed GLOB '[12][0-9][0-9][0-9]-[01][0-9]'
        OR observed GLOB '[12][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]')
) STRICT, WITHOUT ROWID;

-- One thing to look up or to compute for a claim. README.md lists the kinds with their parameters.
CREATE TABLE claim_check (
    claim      TEXT NOT NULL REFERENCES claim (id),
    ordinal    INTEGER NOT NULL,
    role       TEXT NOT NULL,
    kind       TEXT NOT NULL,
    subject    TEXT NOT NULL,
    parameters TEXT NOT NULL,
    relation   TEXT NOT NULL,
    claimed    TEXT NOT NULL,
    unit       TEXT NOT NULL,
    tolerance  REAL NOT NULL,
    margin     REAL NOT NULL,
    remark     TEXT NOT NULL,
    PRIMARY KEY (claim, ordinal),
    CONSTRAINT check_role_is_known CHECK (role IN ('decides', 'condition', 'context')),
    CONSTRAINT check_kind_is_known CHECK (
        kind IN ('figure', 'date', 'present', 'offers', 'fit', 'scenario', 'compare', 'runs', 'benchmark', 'layouts')),
    CONSTRAINT check_relation_is_known CHECK (
        relation IN ('equals', 'at_least', 'at_most', 'reaches', 'holds', 'none')),
    CONSTRAINT check_has_a_subject CHECK (subject <> ''),
    CONSTRAINT check_claims_what_it_compares CHECK ((claimed = '') = (relation IN ('holds', 'none'))),
    CONSTRAINT check_shares_are_shares CHECK (tolerance >= 0 AND margin >= tolerance AND margin <= 1),
    CONSTRAINT condition_says_why CHECK (role <> 'condition' OR remark <> ''),
    CONSTRAINT context_compares_nothing CHECK (role <> 'context' OR relation = 'none')
) STRICT, WITHOUT ROWID;

CREATE TRIGGER claim_names_its_source BEFORE INSERT ON claim BEGIN
    SELECT RAISE(ABORT, 'the source does not exist')
    WHERE NOT EXISTS (SELECT 1 FROM source s WHERE s.id = NEW.source);
END;

CREATE TRIGGER check_belongs_to_a_claim BEFORE INSERT ON claim_check BEGIN
    SELECT RAISE(ABORT, 'the claim does not exist')
    WHERE NOT EXISTS (SELECT 1 FROM claim c WHERE c.id = NEW.claim);
END;

-- Published training and inference runs, a measured one a row, in the columns of the file that people import. A field
-- that its source doesn't give is empty; a text where a number would stand says so in words.
CREATE TABLE run (
    position                 INTEGER NOT NULL UNIQUE,
    run_id                   TEXT PRIMARY KEY NOT NULL,
    source_title             TEXT NOT NULL,
    source_ref               TEXT NOT NULL,
    year                     TEXT NOT NULL,
    workload                 TEXT NOT NULL,
    model                    TEXT NOT NULL,
    params_b                 TEXT NOT NULL,
    layers                   TEXT NOT NULL,
    hidden                   TEXT NOT NULL,
    heads                    TEXT NOT NULL,
    kv_heads                 TEXT NOT NULL,
    ffn                      TEXT NOT NULL,
    vocab                    TEXT NOT NULL,
    seq_len                  TEXT NOT NULL,
    experts                  TEXT NOT NULL,
    experts_active           TEXT NOT NULL,
    attention                TEXT NOT NULL,
    accelerator              TEXT NOT NULL,
    instance_or_system       TEXT NOT NULL,
    n_accel                  TEXT NOT NULL,
    dtype                    TEXT NOT NULL,
    global_batch_seqs        TEXT NOT NULL,
    micro_batch              TEXT NOT NULL,
    tp                       TEXT NOT NULL,
    pp                       TEXT NOT NULL,
    vpp                      TEXT NOT NULL,
    cp                       TEXT NOT NULL,
    ep                       TEXT NOT NULL,
    dp                       TEXT NOT NULL,
    zero_or_fsdp             TEXT NOT NULL,
    sequence_parallel        TEXT NOT NULL,
    recompute                TEXT NOT NULL,
    framework                TEXT NOT NULL,
    step_time_s              TEXT NOT NULL,
    tokens_per_s_per_accel   TEXT NOT NULL,
    tflops_per_accel         TEXT NOT NULL,
    mfu_pct                  TEXT NOT NULL,
    hfu_pct                  TEXT NOT NULL,
    memory_gb_per_accel      TEXT NOT NULL,
    total_hours              TEXT NOT NULL,
    total_energy_kwh         TEXT NOT NULL,
    notes                    TEXT NOT NULL,
    CONSTRAINT run_has_an_id CHECK (run_id <> ''),
    CONSTRAINT run_names_its_source CHECK (source_title <> '' AND source_ref <> ''),
    CONSTRAINT run_workload_is_known CHECK (workload IN ('training', 'finetune', 'decode', 'prefill')),
    CONSTRAINT run_names_its_accelerator CHECK (accelerator <> '')
) STRICT, WITHOUT ROWID;

-- The calibration: factors that those runs put on figures, how sure they are of them, and what they were made from.
-- Made by `trainwright calibrate`; README.md says what each record holds.
CREATE TABLE calibration (
    position       INTEGER PRIMARY KEY NOT NULL,
    record         TEXT NOT NULL,
    physics        TEXT NOT NULL,
    subject        TEXT NOT NULL,
    other          TEXT NOT NULL,
    value          TEXT NOT NULL,
    standard_error TEXT NOT NULL,
    row_count      TEXT NOT NULL,
    note           TEXT NOT NULL,
    CONSTRAINT calibration_record_is_known CHECK (
        record IN ('set', 'run_set', 'factor', 'covariance', 'measured', 'residual'))
) STRICT;
