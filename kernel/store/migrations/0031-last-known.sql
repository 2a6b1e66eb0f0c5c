-- What was last known of the health of each channel, for who looks at it after a restart. Service health alone writes it, once a minute.
CREATE TABLE channel_health (
  channel_id integer PRIMARY KEY REFERENCES channels (id) ON DELETE CASCADE,
  known_at   timestamptz NOT NULL,
  well       boolean NOT NULL,
  -- Of the last success. Null: there was none.
  latency_ms integer CHECK (latency_ms >= 0),
  -- Why it failed; empty: it did not.
  reason     text NOT NULL DEFAULT ''
) WITH (fillfactor = 50);

-- The name of the object as it was then. Null: it has none, or the row is older than this column.
ALTER TABLE audit_log ADD COLUMN object_name text;
