-- Where requests may go: stored policies of API keys, named routes, several keys per channel, and what the gateway
-- itself has found out about a channel.

-- Null: no policy is stored, one is made of `group` and `cross_group_retry` when it is needed.
ALTER TABLE tokens ADD COLUMN routing jsonb;

-- Routes an admin names and users select. Exactly one is the system's default.
CREATE TABLE auto_routes (
  key          text PRIMARY KEY CHECK (key <> ''),
  display_name text NOT NULL,
  -- The chain, in order.
  groups       text[] NOT NULL CHECK (cardinality(groups) > 0),
  -- Groups of users who may select it; empty: everybody.
  user_groups  text[] NOT NULL DEFAULT '{}',
  enabled      boolean NOT NULL DEFAULT true,
  is_default   boolean NOT NULL DEFAULT false,
  sort_order   integer NOT NULL DEFAULT 0,
  created_at   timestamptz NOT NULL DEFAULT now(),
  updated_at   timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX auto_routes_default_key ON auto_routes (is_default) WHERE is_default;
INSERT INTO auto_routes (key, display_name, groups, is_default) VALUES
  ('auto', 'Auto', '{default}', true);

ALTER TABLE channels
  -- Empty: the channel has one key.
  ADD COLUMN multi_key_mode     text NOT NULL DEFAULT ''
    CHECK (multi_key_mode IN ('', 'random', 'polling')),
  ADD COLUMN header_override    jsonb NOT NULL DEFAULT '{}',
  -- In US dollars, as the upstream last told it.
  ADD COLUMN balance            numeric,
  ADD COLUMN balance_updated_at timestamptz,
  ADD COLUMN tested_at          timestamptz,
  ADD COLUMN response_ms        integer NOT NULL DEFAULT 0,
  -- Why and since when the status is what it is; empty and null: as it was made.
  ADD COLUMN status_reason      text NOT NULL DEFAULT '',
  ADD COLUMN status_at          timestamptz;
CREATE INDEX channels_tag_idx ON channels (tag) WHERE tag <> '';

-- A channel's keys in the order of their ids. Sealed at the place `channels:<channel id>:key`.
CREATE TABLE channel_keys (
  id              integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  channel_id      integer NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
  sealed          text NOT NULL,
  -- 1 on, 2 switched off, 3 switched off by the gateway.
  status          smallint NOT NULL DEFAULT 1 CHECK (status BETWEEN 1 AND 3),
  disabled_at     timestamptz,
  disabled_reason text NOT NULL DEFAULT '',
  created_at      timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX channel_keys_channel_id_idx ON channel_keys (channel_id, id);
INSERT INTO channel_keys (channel_id, sealed)
  SELECT id, key_sealed FROM channels WHERE key_sealed <> '' ORDER BY id;
ALTER TABLE channels DROP COLUMN key_sealed;

-- Jobs that one process at a time may do. A holder that dies loses its lease when the time is up.
CREATE TABLE leases (
  name   text PRIMARY KEY,
  holder text NOT NULL,
  until  timestamptz NOT NULL
);
