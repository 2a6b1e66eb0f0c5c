-- What requests held, where recording is switched on (decision 0097). Both sides are sealed: the client's own request and reply,
-- and the calls to upstreams.
CREATE TABLE recordings (
  request_id      text PRIMARY KEY,
  created_at      timestamptz NOT NULL DEFAULT now(),
  user_id         integer NOT NULL,
  token_id        integer,
  level           text NOT NULL CHECK (level IN ('headers', 'bodies')),
  -- Of both envelopes.
  bytes           integer NOT NULL,
  client_sealed   text NOT NULL,
  upstream_sealed text NOT NULL
);
CREATE INDEX recordings_created_at_idx ON recordings (created_at);

-- Everybody's requests are recorded until its end. No row: nobody's are.
CREATE TABLE recording_window (
  id           smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  level        text NOT NULL CHECK (level IN ('headers', 'bodies')),
  started_at   timestamptz NOT NULL DEFAULT now(),
  ends_at      timestamptz NOT NULL,
  started_by   integer NOT NULL,
  started_name text NOT NULL
);

-- Requests of this key are recorded until then.
ALTER TABLE tokens
  ADD COLUMN record_level text CHECK (record_level IN ('headers', 'bodies')),
  ADD COLUMN record_until timestamptz,
  ADD CONSTRAINT tokens_record_check CHECK ((record_level IS NULL) = (record_until IS NULL));

-- The log by error code. Errors alone are in it, so charges pay nothing for it.
CREATE INDEX usage_log_error_idx ON usage_log ((coalesce(detail ->> 'error_code', '')), created_at DESC)
  INCLUDE (user_id, token_name, channel_id) WHERE type = 5;
