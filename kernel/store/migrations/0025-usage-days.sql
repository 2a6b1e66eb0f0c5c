-- Sums of usage by day (UTC) beside those by hour, so that a chart or a total of a year reads hundreds of rows. They are made of
-- the same rows in the same transaction, and hold what the hours hold.

CREATE TABLE usage_model_days (
  day               timestamptz NOT NULL,
  model_name        text NOT NULL,
  count             bigint NOT NULL,
  quota             bigint NOT NULL,
  prompt_tokens     bigint NOT NULL,
  completion_tokens bigint NOT NULL,
  PRIMARY KEY (day, model_name)
) WITH (fillfactor = 70);

-- Who spent most in a span is looked for among those who spent most on one of its days, hence the order of the second index.
CREATE TABLE usage_user_days (
  user_id           integer NOT NULL,
  day               timestamptz NOT NULL,
  count             bigint NOT NULL,
  quota             bigint NOT NULL,
  prompt_tokens     bigint NOT NULL,
  completion_tokens bigint NOT NULL,
  PRIMARY KEY (user_id, day)
) WITH (fillfactor = 70);
CREATE INDEX usage_user_days_top_idx ON usage_user_days (day, quota DESC) INCLUDE (user_id);
CREATE TABLE usage_user_months (
  user_id           integer NOT NULL,
  month             timestamptz NOT NULL,
  count             bigint NOT NULL,
  quota             bigint NOT NULL,
  prompt_tokens     bigint NOT NULL,
  completion_tokens bigint NOT NULL,
  PRIMARY KEY (user_id, month)
) WITH (fillfactor = 70);
CREATE INDEX usage_user_months_top_idx ON usage_user_months (month, quota DESC) INCLUDE (user_id);

-- Who met with errors alone has a row of zeros, as among the hours.
CREATE TABLE usage_user_model_days (
  user_id           integer NOT NULL,
  day               timestamptz NOT NULL,
  model_name        text NOT NULL,
  count             bigint NOT NULL,
  quota             bigint NOT NULL,
  prompt_tokens     bigint NOT NULL,
  completion_tokens bigint NOT NULL,
  PRIMARY KEY (user_id, day, model_name)
) WITH (fillfactor = 70);

CREATE TABLE usage_channel_days (
  channel_id        integer NOT NULL,
  day               timestamptz NOT NULL,
  quota             bigint NOT NULL,
  PRIMARY KEY (channel_id, day)
) WITH (fillfactor = 70);
CREATE TABLE usage_group_days (
  group_name        text NOT NULL,
  day               timestamptz NOT NULL,
  quota             bigint NOT NULL,
  PRIMARY KEY (group_name, day)
) WITH (fillfactor = 70);

-- Every hour from `days_from` on is in the days; what was summed before there were days follows hour by hour.
ALTER TABLE usage_mark ADD COLUMN days_from timestamptz NOT NULL DEFAULT '-infinity';

-- The newest names are found by the day they were last used on: the moment changes too often for an index. Those of
-- before bear none until they are used again.
ALTER TABLE usage_keys ADD COLUMN last_day date NOT NULL DEFAULT '-infinity';
CREATE INDEX usage_keys_last_day_idx ON usage_keys (kind, last_day DESC);
CREATE INDEX usage_keys_prefix_idx ON usage_keys (kind, lower(name) text_pattern_ops);

-- Rows of API keys of one name, whoever owns them, and what they cost.
CREATE INDEX usage_log_token_idx ON usage_log (token_name, created_at DESC)
  INCLUDE (type, user_id, quota) WHERE token_name <> '';

-- Adds sums of hours to those of their days and months.
CREATE FUNCTION usage_add_days(part usage_hours[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO usage_model_days AS d
  SELECT date_trunc('day', hour, 'UTC'), model_name, sum(count), sum(quota), sum(prompt_tokens),
    sum(completion_tokens)
  FROM unnest(part) GROUP BY 1, 2
  HAVING bool_or(count <> 0 OR quota <> 0 OR prompt_tokens <> 0 OR completion_tokens <> 0)
  ON CONFLICT (day, model_name) DO UPDATE
  SET count = d.count + excluded.count, quota = d.quota + excluded.quota,
    prompt_tokens = d.prompt_tokens + excluded.prompt_tokens,
    completion_tokens = d.completion_tokens + excluded.completion_tokens;

  INSERT INTO usage_user_days AS d
  SELECT user_id, date_trunc('day', hour, 'UTC'), sum(count), sum(quota), sum(prompt_tokens),
    sum(completion_tokens)
  FROM unnest(part) GROUP BY 1, 2
  HAVING bool_or(count <> 0 OR quota <> 0 OR prompt_tokens <> 0 OR completion_tokens <> 0)
  ON CONFLICT (user_id, day) DO UPDATE
  SET count = d.count + excluded.count, quota = d.quota + excluded.quota,
    prompt_tokens = d.prompt_tokens + excluded.prompt_tokens,
    completion_tokens = d.completion_tokens + excluded.completion_tokens;

  INSERT INTO usage_user_months AS m
  SELECT user_id, date_trunc('month', hour, 'UTC'), sum(count), sum(quota), sum(prompt_tokens),
    sum(completion_tokens)
  FROM unnest(part) GROUP BY 1, 2
  HAVING bool_or(count <> 0 OR quota <> 0 OR prompt_tokens <> 0 OR completion_tokens <> 0)
  ON CONFLICT (user_id, month) DO UPDATE
  SET count = m.count + excluded.count, quota = m.quota + excluded.quota,
    prompt_tokens = m.prompt_tokens + excluded.prompt_tokens,
    completion_tokens = m.completion_tokens + excluded.completion_tokens;

  INSERT INTO usage_user_model_days AS d
  SELECT user_id, date_trunc('day', hour, 'UTC'), model_name, sum(count), sum(quota), sum(prompt_tokens),
    sum(completion_tokens)
  FROM unnest(part) GROUP BY 1, 2, 3
  ON CONFLICT (user_id, day, model_name) DO UPDATE
  SET count = d.count + excluded.count, quota = d.quota + excluded.quota,
    prompt_tokens = d.prompt_tokens + excluded.prompt_tokens,
    completion_tokens = d.completion_tokens + excluded.completion_tokens;

  INSERT INTO usage_channel_days AS d
  SELECT channel_id, date_trunc('day', hour, 'UTC'), sum(quota)
  FROM unnest(part) GROUP BY 1, 2 HAVING bool_or(quota <> 0)
  ON CONFLICT (channel_id, day) DO UPDATE SET quota = d.quota + excluded.quota;

  INSERT INTO usage_group_days AS d
  SELECT group_name, date_trunc('day', hour, 'UTC'), sum(quota)
  FROM unnest(part) GROUP BY 1, 2 HAVING bool_or(quota <> 0)
  ON CONFLICT (group_name, day) DO UPDATE SET quota = d.quota + excluded.quota;
END
$$;

-- Takes the latest hour that is in no day yet into its day. Returns whether there may be more. Another process at work: nothing is
-- done. Rows that come meanwhile are of later hours, since the mark never moves back.
CREATE FUNCTION usage_fill_days() RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  done timestamptz;
  latest timestamptz;
BEGIN
  SELECT days_from INTO done FROM usage_mark FOR UPDATE SKIP LOCKED;
  IF NOT FOUND OR done = '-infinity' THEN
    RETURN false;
  END IF;
  SELECT max(hour) INTO latest FROM usage_hours WHERE hour < done;
  IF latest IS NOT NULL THEN
    PERFORM usage_add_days((SELECT array_agg(h) FROM usage_hours h WHERE hour = latest));
  END IF;
  UPDATE usage_mark SET days_from = coalesce(latest, '-infinity');
  RETURN latest IS NOT NULL;
END
$$;

-- As before (0004), with the days.
CREATE OR REPLACE FUNCTION usage_roll(most integer, margin interval) RETURNS boolean LANGUAGE plpgsql
SET plan_cache_mode = force_custom_plan
AS $$
DECLARE
  since timestamptz;
  until timestamptz;
  step timestamptz;
  part usage_hours[];
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
  keys AS (
    INSERT INTO usage_keys AS k (kind, id, name, last_at, last_day, quota)
    SELECT kind, id, name, max(created_at), (max(created_at) AT TIME ZONE 'UTC')::date, sum(cost)
    FROM slice CROSS JOIN LATERAL (VALUES
      ('model'::usage_key_kind, 0, model_name),
      ('token', user_id, token_name),
      ('user', user_id, ''),
      ('channel', channel_id, '')
    ) AS part (kind, id, name)
    WHERE id <> 0 OR name <> '' GROUP BY 1, 2, 3
    ON CONFLICT (kind, name, id) DO UPDATE
    SET last_at = greatest(k.last_at, excluded.last_at),
      last_day = greatest(k.last_day, excluded.last_day), quota = k.quota + excluded.quota
  )
  SELECT array_agg(ROW(h.*)::usage_hours) INTO part FROM (
    SELECT date_trunc('hour', created_at, 'UTC') AS hour, user_id, model_name, channel_id, group_name,
      sum(charges)::bigint, sum(cost)::bigint, sum(prompt_tokens)::bigint, sum(completion_tokens)::bigint
    FROM slice WHERE type IN (2, 5, 6) GROUP BY 1, 2, 3, 4, 5
  ) h;

  INSERT INTO usage_hours AS h SELECT * FROM unnest(part)
  ON CONFLICT (hour, user_id, model_name, channel_id, group_name) DO UPDATE
  SET count = h.count + excluded.count, quota = h.quota + excluded.quota,
    prompt_tokens = h.prompt_tokens + excluded.prompt_tokens,
    completion_tokens = h.completion_tokens + excluded.completion_tokens;

  INSERT INTO usage_model_hours AS h
  SELECT hour, model_name, sum(count), sum(quota), sum(prompt_tokens), sum(completion_tokens)
  FROM unnest(part) GROUP BY 1, 2
  HAVING bool_or(count <> 0 OR quota <> 0 OR prompt_tokens <> 0 OR completion_tokens <> 0)
  ON CONFLICT (hour, model_name) DO UPDATE
  SET count = h.count + excluded.count, quota = h.quota + excluded.quota,
    prompt_tokens = h.prompt_tokens + excluded.prompt_tokens,
    completion_tokens = h.completion_tokens + excluded.completion_tokens;

  PERFORM usage_add_days(part);
  UPDATE usage_mark SET rolled_until = until;
  RETURN step IS NOT NULL;
END
$$;

-- The hour of the mark may grow yet: it comes first.
UPDATE usage_mark SET days_from = date_trunc('hour', rolled_until, 'UTC') + interval '1 hour'
WHERE rolled_until <> '-infinity';
SELECT usage_fill_days();
