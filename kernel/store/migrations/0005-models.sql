-- What is known of models beside their prices: who makes them, how they are described, what they can be called for;
-- and the lists that forms are filled in from.

CREATE TABLE vendors (
  id          integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name        text NOT NULL CHECK (name <> ''),
  description text NOT NULL DEFAULT '',
  icon        text NOT NULL DEFAULT '',
  -- 1 on; 0 and 2 off.
  status      smallint NOT NULL DEFAULT 1 CHECK (status BETWEEN 0 AND 2),
  created_at  timestamptz NOT NULL DEFAULT now(),
  updated_at  timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX vendors_name_key ON vendors (lower(name));

CREATE TABLE models (
  id            integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  model_name    text NOT NULL CHECK (model_name <> ''),
  -- How `model_name` is compared: 0 the whole name, 1 its beginning, 2 any part of it, 3 its end.
  name_rule     smallint NOT NULL DEFAULT 0 CHECK (name_rule BETWEEN 0 AND 3),
  description   text NOT NULL DEFAULT '',
  icon          text NOT NULL DEFAULT '',
  tags          text NOT NULL DEFAULT '',
  -- A vendor that a model still names cannot be deleted (API-5).
  vendor_id     integer CONSTRAINT models_vendor_id_fkey REFERENCES vendors (id),
  -- JSON text: types as a list, or as an object of type and address. Empty: told by the name.
  endpoints     text NOT NULL DEFAULT '',
  -- 1 on; 0 and 2 off: not shown in lists.
  status        smallint NOT NULL DEFAULT 1 CHECK (status BETWEEN 0 AND 2),
  sync_official smallint NOT NULL DEFAULT 1 CHECK (sync_official IN (0, 1)),
  created_at    timestamptz NOT NULL DEFAULT now(),
  updated_at    timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX models_model_name_key ON models (model_name, name_rule);
CREATE INDEX models_vendor_id_idx ON models (vendor_id);

CREATE TABLE prefill_groups (
  id          integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name        text NOT NULL CHECK (name <> ''),
  type        text NOT NULL CHECK (type IN ('model', 'tag', 'endpoint')),
  -- `json`, not `jsonb`: endpoints keep the order they were written in.
  items       json NOT NULL DEFAULT '[]',
  description text NOT NULL DEFAULT '',
  created_at  timestamptz NOT NULL DEFAULT now(),
  updated_at  timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX prefill_groups_name_key ON prefill_groups (type, name);
