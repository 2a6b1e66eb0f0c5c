-- What happened to ways into accounts, for their owners to read, whether or not a notice could reach them.

CREATE TABLE security_events (
  id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  kind    text NOT NULL,
  at      timestamptz NOT NULL,
  -- Address it was done from.
  address text NOT NULL,
  -- What there is to say besides; of kinds that are counted, the number.
  detail  text NOT NULL
);
CREATE INDEX security_events_user_kind_idx ON security_events (user_id, kind, id);
CREATE INDEX security_events_at_idx ON security_events (at);
