-- Usage in sums, and what makes the log quick to search. Nothing here is money: the sums are made
-- from usage_log by usage_roll, behind the billing path and never within it.

-- Newest first by model, channel, group or user. Each holds the type and the token's name besides, so
-- that counting a filtered list stays within the index; groups are few and large, so theirs holds the
-- model too. An entry takes 2,704 bytes; a model and a group of 256 characters and a token's name of
-- 50 fit, whatever they are written in.
CREATE INDEX usage_log_model_idx ON usage_log (model_name, created_at DESC)
  INCLUDE (type, token_name);
CREATE INDEX usage_log_channel_idx ON usage_log (channel_id, created_at DESC)
  INCLUDE (type, token_name);
CREATE INDEX usage_log_group_idx ON usage_log (group_name, created_at DESC)
  INCLUDE (type, token_name, model_name);
DROP INDEX usage_log_user_id_idx;
CREATE INDEX usage_log_user_id_idx ON usage_log (user_id, created_at DESC)
  INCLUDE (type, token_name);
-- Top-ups, errors and refunds among many charges, with all that lists are filtered by. Charges are
-- not in it: it costs them nothing.
CREATE INDEX usage_log_type_idx ON usage_log (type, created_at DESC)
  INCLUDE (token_name, user_id, model_name, channel_id, group_name) WHERE type <> 2;

-- Staying within an index needs pages known to be visible to all, which a vacuum says. A log only
-- grows, so its vacuum comes by rows inserted.
ALTER TABLE usage_log SET (
  autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);

-- How far the log has been summed: every row before this moment, and none from it on. Whole
-- seconds. Who holds the row sums.
CREATE TABLE usage_mark (
  id           smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  rolled_until timestamptz NOT NULL CHECK (
    rolled_until = '-infinity' OR rolled_until = date_trunc('second', rolled_until))
);
INSERT INTO usage_mark (rolled_until) VALUES ('-infinity');

-- Charges less refunds. `count` is of charges; who met with errors alone has a row of zeros. A row
-- without a channel has 0.
CREATE TABLE usage_hours (
  hour              timestamptz NOT NULL,
  user_id           integer NOT NULL,
  model_name        text NOT NULL,
  channel_id        integer NOT NULL,
  group_name        text NOT NULL,
  count             bigint NOT NULL,
  quota             bigint NOT NULL,
  prompt_tokens     bigint NOT NULL,
  completion_tokens bigint NOT NULL,
  PRIMARY KEY (hour, user_id, model_name, channel_id, group_name)
);
CREATE INDEX usage_hours_user_idx ON usage_hours (user_id, hour);
CREATE INDEX usage_hours_model_idx ON usage_hours (model_name, hour);
CREATE INDEX usage_hours_channel_idx ON usage_hours (channel_id, hour);
CREATE INDEX usage_hours_group_idx ON usage_hours (group_name, hour);

-- The same for the whole gateway: what its charts and totals read, however many its users are.
CREATE TABLE usage_model_hours (
  hour              timestamptz NOT NULL,
  model_name        text NOT NULL,
  count             bigint NOT NULL,
  quota             bigint NOT NULL,
  prompt_tokens     bigint NOT NULL,
  completion_tokens bigint NOT NULL,
  PRIMARY KEY (hour, model_name)
);

-- Whoever and whatever stands in the log, each once, with the time of the newest row and the quota
-- of all: a text is looked for among these before the log is read.
CREATE TYPE usage_key_kind AS ENUM ('model', 'token', 'user', 'channel');
CREATE TABLE usage_keys (
  kind    usage_key_kind NOT NULL,
  name    text NOT NULL,
  -- Of the user or channel; a token is its name and the id of its user; a model has 0.
  id      integer NOT NULL,
  last_at timestamptz NOT NULL,
  quota   bigint NOT NULL,
  PRIMARY KEY (kind, name, id)
) WITH (fillfactor = 70);

-- Sums the next `most` rows or so that are older than `margin`, in one transaction with the mark, so
-- that each row counts once whatever dies. Answers whether there is more. Another process at work:
-- nothing is done.
--
-- A row bears the time its transaction began and shows when it ends. Every transaction that may yet
-- show a row is asked for its beginning, and the mark stays before the oldest. It is asked before
-- the rows are read: what ended meanwhile is seen by the later statement. `margin` is for what the
-- list of sessions does not tell at once.
CREATE FUNCTION usage_roll(most integer, margin interval) RETURNS boolean LANGUAGE plpgsql
SET plan_cache_mode = force_custom_plan
AS $$
DECLARE
  since timestamptz;
  until timestamptz;
  step timestamptz;
BEGIN
  SELECT rolled_until INTO since FROM usage_mark FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  SELECT date_trunc('second', least(now() - margin, min(xact_start))) INTO until
  FROM pg_stat_activity
  WHERE datname = current_database() AND backend_type = 'client backend'
    AND application_name = current_setting('application_name') AND pid <> pg_backend_pid();
  IF since = '-infinity' THEN
    SELECT date_trunc('second', min(created_at)) INTO since FROM usage_log;
    since := coalesce(since, until);
  END IF;
  IF until <= since THEN
    RETURN false;
  END IF;
  SELECT date_trunc('second', created_at) INTO step FROM usage_log
  WHERE created_at >= since AND created_at < until ORDER BY created_at OFFSET most LIMIT 1;
  IF step IS NOT NULL THEN
    -- At least a second's worth, however full.
    until := greatest(step, since + interval '1 second');
  END IF;

  WITH slice AS MATERIALIZED (
    SELECT
      created_at, user_id, token_name, coalesce(channel_id, 0) AS channel_id, model_name,
      group_name, type, (type = 2)::integer AS charges,
      CASE type WHEN 2 THEN quota WHEN 6 THEN -quota ELSE 0 END AS cost,
      CASE WHEN type IN (2, 6) THEN prompt_tokens ELSE 0 END AS prompt_tokens,
      CASE WHEN type IN (2, 6) THEN completion_tokens ELSE 0 END AS completion_tokens
    FROM usage_log WHERE created_at >= since AND created_at < until
  ),
  hours AS (
    INSERT INTO usage_hours AS h
    SELECT date_trunc('hour', created_at), user_id, model_name, channel_id, group_name,
      sum(charges), sum(cost), sum(prompt_tokens), sum(completion_tokens)
    FROM slice WHERE type IN (2, 5, 6) GROUP BY 1, 2, 3, 4, 5
    ON CONFLICT (hour, user_id, model_name, channel_id, group_name) DO UPDATE
    SET count = h.count + excluded.count, quota = h.quota + excluded.quota,
      prompt_tokens = h.prompt_tokens + excluded.prompt_tokens,
      completion_tokens = h.completion_tokens + excluded.completion_tokens
  ),
  model_hours AS (
    INSERT INTO usage_model_hours AS h
    SELECT date_trunc('hour', created_at), model_name,
      sum(charges), sum(cost), sum(prompt_tokens), sum(completion_tokens)
    FROM slice WHERE type IN (2, 6) GROUP BY 1, 2
    ON CONFLICT (hour, model_name) DO UPDATE
    SET count = h.count + excluded.count, quota = h.quota + excluded.quota,
      prompt_tokens = h.prompt_tokens + excluded.prompt_tokens,
      completion_tokens = h.completion_tokens + excluded.completion_tokens
  )
  INSERT INTO usage_keys AS k (kind, id, name, last_at, quota)
  SELECT kind, id, name, max(created_at), sum(cost)
  FROM slice CROSS JOIN LATERAL (VALUES
    ('model'::usage_key_kind, 0, model_name),
    ('token', user_id, token_name),
    ('user', user_id, ''),
    ('channel', channel_id, '')
  ) AS part (kind, id, name)
  WHERE id <> 0 OR name <> '' GROUP BY 1, 2, 3
  ON CONFLICT (kind, name, id) DO UPDATE
  SET last_at = greatest(k.last_at, excluded.last_at), quota = k.quota + excluded.quota;

  UPDATE usage_mark SET rolled_until = until;
  RETURN step IS NOT NULL;
END
$$;
