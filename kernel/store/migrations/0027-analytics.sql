-- Sums for analytics: of everybody and of each model, channel, group, user and API key, by day and, but for API keys, by hour
-- (UTC). `usage_roll` feeds them in the transaction that moves its mark. What was there before is filled in backwards.

-- `user_id` is 0 where a row is of everybody; `id` is that of a channel or API key (0: none), `name` that of a model or group.
CREATE TYPE usage_stat_kind AS ENUM (
  'all', 'model', 'channel', 'group', 'user', 'token', 'user_model', 'user_group');

-- `requests` are charges; `input_tokens` hold those of caches as well. `timed_tokens` of output were generated in `timed_ms`.
-- `latency` and `first_token` are histograms: each entry is a bucket shifted by 40 bits, and how many fell into it. A bucket may
-- have several entries. Bucket n reaches from 1.2^(n-1) to 1.2^n milliseconds.
CREATE TABLE usage_stat_days (
  kind               usage_stat_kind NOT NULL,
  day                timestamptz NOT NULL,
  user_id            integer NOT NULL,
  id                 integer NOT NULL,
  name               text NOT NULL,
  requests           bigint NOT NULL,
  errors             bigint NOT NULL,
  quota              bigint NOT NULL,
  input_tokens       bigint NOT NULL,
  cache_read_tokens  bigint NOT NULL,
  cache_write_tokens bigint NOT NULL,
  output_tokens      bigint NOT NULL,
  timed_tokens       bigint NOT NULL,
  timed_ms           bigint NOT NULL,
  latency            bigint[] NOT NULL,
  first_token        bigint[] NOT NULL,
  PRIMARY KEY (kind, day, user_id, id, name)
) WITH (fillfactor = 70);
CREATE TABLE usage_stat_hours (
  kind               usage_stat_kind NOT NULL,
  hour               timestamptz NOT NULL,
  user_id            integer NOT NULL,
  id                 integer NOT NULL,
  name               text NOT NULL,
  requests           bigint NOT NULL,
  errors             bigint NOT NULL,
  quota              bigint NOT NULL,
  input_tokens       bigint NOT NULL,
  cache_read_tokens  bigint NOT NULL,
  cache_write_tokens bigint NOT NULL,
  output_tokens      bigint NOT NULL,
  timed_tokens       bigint NOT NULL,
  timed_ms           bigint NOT NULL,
  latency            bigint[] NOT NULL,
  first_token        bigint[] NOT NULL,
  PRIMARY KEY (kind, hour, user_id, id, name)
) WITH (fillfactor = 70);

-- Of requests that failed: the code the client got and the HTTP status.
CREATE TABLE usage_error_days (
  kind    usage_stat_kind NOT NULL,
  day     timestamptz NOT NULL,
  user_id integer NOT NULL,
  id      integer NOT NULL,
  name    text NOT NULL,
  code    text NOT NULL,
  status  integer NOT NULL,
  errors  bigint NOT NULL,
  PRIMARY KEY (kind, day, user_id, id, name, code, status)
) WITH (fillfactor = 70);

-- The greatest of each day that is over, so that nobody adds up a million API keys to find the first twenty.
CREATE TYPE usage_measure AS ENUM ('requests', 'errors', 'quota', 'tokens');
CREATE TABLE usage_tops (
  kind    usage_stat_kind NOT NULL,
  measure usage_measure NOT NULL,
  day     timestamptz NOT NULL,
  user_id integer NOT NULL,
  id      integer NOT NULL,
  name    text NOT NULL,
  amount  bigint NOT NULL,
  PRIMARY KEY (kind, measure, day, user_id, id, name)
);
CREATE TABLE usage_top_days (day timestamptz PRIMARY KEY);

-- Every row of the log from `stats_from` on is in these sums, as far as `rolled_until`.
ALTER TABLE usage_mark ADD COLUMN stats_from timestamptz NOT NULL DEFAULT '-infinity';

-- A number that somebody else wrote, whatever it may be.
CREATE FUNCTION usage_number(given jsonb) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN jsonb_typeof(given) = 'number'
    THEN least(greatest(round(given::numeric), 0), 2147483647)::bigint ELSE 0 END
$$;

CREATE FUNCTION usage_bucket(ms bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT (ceil(ln(greatest(ms, 1)::float8) / ln(1.2::float8))::bigint << 40) + 1
$$;

-- One entry for each bucket. Called where there are many: calling it costs more than a long array does.
CREATE FUNCTION usage_packed(entries bigint[]) RETURNS bigint[] LANGUAGE sql IMMUTABLE AS $$
  SELECT array_agg((bucket << 40) + found) FROM (
    SELECT entry >> 40 AS bucket, sum(entry & 1099511627775)::bigint AS found
    FROM unnest(entries) AS entry GROUP BY 1
  ) AS whole
$$;

-- Adds the rows of the log of this span. A row of an error may stand for more of them.
CREATE FUNCTION usage_add_stats(since timestamptz, until timestamptz) RETURNS void LANGUAGE plpgsql
SET plan_cache_mode = force_custom_plan
AS $$
BEGIN
  -- In steps, since functions are part of a plan where they are given columns and called where they are given more.
  WITH logged AS MATERIALIZED (
    SELECT
      created_at, user_id, coalesce(token_id, 0) AS token_id, coalesce(channel_id, 0) AS channel_id,
      model_name, group_name, type, quota, prompt_tokens, completion_tokens, use_time_ms::bigint,
      is_stream, detail -> 'frt' AS frt, detail -> 'further_errors' AS further,
      -- Not joined: each is looked up by its key, however many there are.
      CASE WHEN type = 2 AND prompt_tokens > 0 THEN (
        SELECT b.usage FROM billing_requests b WHERE b.request_id = l.request_id
      ) END AS kept
    FROM usage_log l
    WHERE created_at >= since AND created_at < until AND type IN (2, 5, 6)
  ),
  opened AS MATERIALIZED (
    SELECT *, kept -> 'cacheRead' AS read, kept -> 'cacheWrite5m' AS write, kept -> 'cacheWrite1h' AS write_long
    FROM logged
  ),
  counted AS MATERIALIZED (
    SELECT
      *, CASE WHEN type = 2 AND is_stream THEN usage_number(frt) ELSE 0 END AS first_ms,
      least(usage_number(read), prompt_tokens) AS cache_read_tokens,
      usage_number(write) + usage_number(write_long) AS written
    FROM opened
  ),
  slice AS MATERIALIZED (
    SELECT
      created_at, user_id, token_id, channel_id, model_name, group_name,
      (type = 2)::integer AS requests,
      CASE type WHEN 5 THEN 1 + usage_number(further) ELSE 0 END AS errors,
      CASE type WHEN 2 THEN quota WHEN 6 THEN -quota ELSE 0 END AS quota,
      CASE WHEN type = 5 THEN 0 ELSE prompt_tokens END AS input_tokens,
      cache_read_tokens, least(written, prompt_tokens - cache_read_tokens) AS cache_write_tokens,
      CASE WHEN type = 5 THEN 0 ELSE completion_tokens END AS output_tokens,
      CASE WHEN type = 2 AND use_time_ms > first_ms THEN completion_tokens ELSE 0 END AS timed_tokens,
      -- A stream generates from its first token on.
      CASE WHEN type = 2 AND use_time_ms > first_ms AND completion_tokens > 0
        THEN use_time_ms - first_ms ELSE 0 END AS timed_ms,
      CASE WHEN type = 2 AND use_time_ms > 0 THEN usage_bucket(use_time_ms) END AS latency,
      CASE WHEN first_ms > 0 THEN usage_bucket(first_ms) END AS first_token
    FROM counted
  ),
  hours AS (
    INSERT INTO usage_stat_hours AS s
    SELECT
      part.kind, date_trunc('hour', created_at, 'UTC'), part.user_id, part.id, part.name,
      sum(requests), sum(errors), sum(quota), sum(input_tokens), sum(cache_read_tokens),
      sum(cache_write_tokens), sum(output_tokens), sum(timed_tokens), sum(timed_ms),
      coalesce(CASE WHEN count(latency) > 96
        THEN usage_packed(array_agg(latency) FILTER (WHERE latency IS NOT NULL))
        ELSE array_agg(latency) FILTER (WHERE latency IS NOT NULL) END, '{}'),
      coalesce(CASE WHEN count(first_token) > 96
        THEN usage_packed(array_agg(first_token) FILTER (WHERE first_token IS NOT NULL))
        ELSE array_agg(first_token) FILTER (WHERE first_token IS NOT NULL) END, '{}')
    FROM slice CROSS JOIN LATERAL (VALUES
      ('all'::usage_stat_kind, 0, 0, ''),
      ('model', 0, 0, model_name),
      ('channel', 0, channel_id, ''),
      ('group', 0, 0, group_name),
      ('user', user_id, 0, '')
    ) AS part (kind, user_id, id, name)
    GROUP BY 1, 2, 3, 4, 5
    ON CONFLICT (kind, hour, user_id, id, name) DO UPDATE SET
      requests = s.requests + excluded.requests,
      errors = s.errors + excluded.errors,
      quota = s.quota + excluded.quota,
      input_tokens = s.input_tokens + excluded.input_tokens,
      cache_read_tokens = s.cache_read_tokens + excluded.cache_read_tokens,
      cache_write_tokens = s.cache_write_tokens + excluded.cache_write_tokens,
      output_tokens = s.output_tokens + excluded.output_tokens,
      timed_tokens = s.timed_tokens + excluded.timed_tokens,
      timed_ms = s.timed_ms + excluded.timed_ms,
      latency = CASE WHEN cardinality(s.latency) + cardinality(excluded.latency) > 96
        THEN usage_packed(s.latency || excluded.latency) ELSE s.latency || excluded.latency END,
      first_token = CASE WHEN cardinality(s.first_token) + cardinality(excluded.first_token) > 96
        THEN usage_packed(s.first_token || excluded.first_token) ELSE s.first_token || excluded.first_token END
  )
  INSERT INTO usage_stat_days AS s
  SELECT
    part.kind, date_trunc('day', created_at, 'UTC'), part.user_id, part.id, part.name,
    sum(requests), sum(errors), sum(quota), sum(input_tokens), sum(cache_read_tokens),
    sum(cache_write_tokens), sum(output_tokens), sum(timed_tokens), sum(timed_ms),
    coalesce(CASE WHEN count(latency) > 96
        THEN usage_packed(array_agg(latency) FILTER (WHERE latency IS NOT NULL))
        ELSE array_agg(latency) FILTER (WHERE latency IS NOT NULL) END, '{}'),
    coalesce(CASE WHEN count(first_token) > 96
        THEN usage_packed(array_agg(first_token) FILTER (WHERE first_token IS NOT NULL))
        ELSE array_agg(first_token) FILTER (WHERE first_token IS NOT NULL) END, '{}')
  FROM slice CROSS JOIN LATERAL (VALUES
    ('all'::usage_stat_kind, 0, 0, ''),
    ('model', 0, 0, model_name),
    ('channel', 0, channel_id, ''),
    ('group', 0, 0, group_name),
    ('user', user_id, 0, ''),
    ('token', user_id, token_id, ''),
    ('user_model', user_id, 0, model_name),
    ('user_group', user_id, 0, group_name)
  ) AS part (kind, user_id, id, name)
  GROUP BY 1, 2, 3, 4, 5
  ON CONFLICT (kind, day, user_id, id, name) DO UPDATE SET
    requests = s.requests + excluded.requests,
    errors = s.errors + excluded.errors,
    quota = s.quota + excluded.quota,
    input_tokens = s.input_tokens + excluded.input_tokens,
    cache_read_tokens = s.cache_read_tokens + excluded.cache_read_tokens,
    cache_write_tokens = s.cache_write_tokens + excluded.cache_write_tokens,
    output_tokens = s.output_tokens + excluded.output_tokens,
    timed_tokens = s.timed_tokens + excluded.timed_tokens,
    timed_ms = s.timed_ms + excluded.timed_ms,
    latency = CASE WHEN cardinality(s.latency) + cardinality(excluded.latency) > 96
        THEN usage_packed(s.latency || excluded.latency) ELSE s.latency || excluded.latency END,
    first_token = CASE WHEN cardinality(s.first_token) + cardinality(excluded.first_token) > 96
        THEN usage_packed(s.first_token || excluded.first_token) ELSE s.first_token || excluded.first_token END;

  INSERT INTO usage_error_days AS e
  SELECT
    part.kind, date_trunc('day', created_at, 'UTC'), part.user_id, part.id, part.name,
    code, usage_number(status), sum(1 + usage_number(further))
  FROM (
    SELECT
      *, left(coalesce(detail ->> 'error_code', ''), 128) AS code, detail -> 'status_code' AS status,
      detail -> 'further_errors' AS further
    FROM usage_log WHERE created_at >= since AND created_at < until AND type = 5 OFFSET 0
  ) l CROSS JOIN LATERAL (VALUES
    ('all'::usage_stat_kind, 0, 0, ''),
    ('model', 0, 0, model_name),
    ('channel', 0, coalesce(channel_id, 0), ''),
    ('group', 0, 0, group_name),
    ('user', l.user_id, 0, ''),
    ('token', l.user_id, coalesce(token_id, 0), ''),
    ('user_model', l.user_id, 0, model_name),
    ('user_group', l.user_id, 0, group_name)
  ) AS part (kind, user_id, id, name)
  GROUP BY 1, 2, 3, 4, 5, 6, 7
  ON CONFLICT (kind, day, user_id, id, name, code, status) DO UPDATE
  SET errors = e.errors + excluded.errors;
END
$$;

-- The same of an hour whose rows are gone: what its sums have, which know no errors, times, caches or API keys.
CREATE FUNCTION usage_add_stats_of_hour(given timestamptz) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  WITH slice AS MATERIALIZED (
    SELECT
      hour AS created_at, user_id, 0 AS token_id, channel_id, model_name, group_name,
      count AS requests, 0 AS errors, quota, prompt_tokens AS input_tokens, 0 AS cache_read_tokens,
      0 AS cache_write_tokens, completion_tokens AS output_tokens, 0 AS timed_tokens, 0 AS timed_ms,
      NULL::bigint AS latency, NULL::bigint AS first_token
    FROM usage_hours WHERE hour = given
  ),
  hours AS (
    INSERT INTO usage_stat_hours AS s
    SELECT
      part.kind, date_trunc('hour', created_at, 'UTC'), part.user_id, part.id, part.name,
      sum(requests), sum(errors), sum(quota), sum(input_tokens), sum(cache_read_tokens),
      sum(cache_write_tokens), sum(output_tokens), sum(timed_tokens), sum(timed_ms),
      coalesce(CASE WHEN count(latency) > 96
        THEN usage_packed(array_agg(latency) FILTER (WHERE latency IS NOT NULL))
        ELSE array_agg(latency) FILTER (WHERE latency IS NOT NULL) END, '{}'),
      coalesce(CASE WHEN count(first_token) > 96
        THEN usage_packed(array_agg(first_token) FILTER (WHERE first_token IS NOT NULL))
        ELSE array_agg(first_token) FILTER (WHERE first_token IS NOT NULL) END, '{}')
    FROM slice CROSS JOIN LATERAL (VALUES
      ('all'::usage_stat_kind, 0, 0, ''),
      ('model', 0, 0, model_name),
      ('channel', 0, channel_id, ''),
      ('group', 0, 0, group_name),
      ('user', user_id, 0, '')
    ) AS part (kind, user_id, id, name)
    GROUP BY 1, 2, 3, 4, 5
    ON CONFLICT (kind, hour, user_id, id, name) DO UPDATE SET
      requests = s.requests + excluded.requests,
      errors = s.errors + excluded.errors,
      quota = s.quota + excluded.quota,
      input_tokens = s.input_tokens + excluded.input_tokens,
      cache_read_tokens = s.cache_read_tokens + excluded.cache_read_tokens,
      cache_write_tokens = s.cache_write_tokens + excluded.cache_write_tokens,
      output_tokens = s.output_tokens + excluded.output_tokens,
      timed_tokens = s.timed_tokens + excluded.timed_tokens,
      timed_ms = s.timed_ms + excluded.timed_ms,
      latency = CASE WHEN cardinality(s.latency) + cardinality(excluded.latency) > 96
        THEN usage_packed(s.latency || excluded.latency) ELSE s.latency || excluded.latency END,
      first_token = CASE WHEN cardinality(s.first_token) + cardinality(excluded.first_token) > 96
        THEN usage_packed(s.first_token || excluded.first_token) ELSE s.first_token || excluded.first_token END
  )
  INSERT INTO usage_stat_days AS s
  SELECT
    part.kind, date_trunc('day', created_at, 'UTC'), part.user_id, part.id, part.name,
    sum(requests), sum(errors), sum(quota), sum(input_tokens), sum(cache_read_tokens),
    sum(cache_write_tokens), sum(output_tokens), sum(timed_tokens), sum(timed_ms),
    coalesce(CASE WHEN count(latency) > 96
        THEN usage_packed(array_agg(latency) FILTER (WHERE latency IS NOT NULL))
        ELSE array_agg(latency) FILTER (WHERE latency IS NOT NULL) END, '{}'),
    coalesce(CASE WHEN count(first_token) > 96
        THEN usage_packed(array_agg(first_token) FILTER (WHERE first_token IS NOT NULL))
        ELSE array_agg(first_token) FILTER (WHERE first_token IS NOT NULL) END, '{}')
  FROM slice CROSS JOIN LATERAL (VALUES
    ('all'::usage_stat_kind, 0, 0, ''),
    ('model', 0, 0, model_name),
    ('channel', 0, channel_id, ''),
    ('group', 0, 0, group_name),
    ('user', user_id, 0, ''),
    ('token', user_id, token_id, ''),
    ('user_model', user_id, 0, model_name),
    ('user_group', user_id, 0, group_name)
  ) AS part (kind, user_id, id, name)
  GROUP BY 1, 2, 3, 4, 5
  ON CONFLICT (kind, day, user_id, id, name) DO UPDATE SET
    requests = s.requests + excluded.requests,
    errors = s.errors + excluded.errors,
    quota = s.quota + excluded.quota,
    input_tokens = s.input_tokens + excluded.input_tokens,
    cache_read_tokens = s.cache_read_tokens + excluded.cache_read_tokens,
    cache_write_tokens = s.cache_write_tokens + excluded.cache_write_tokens,
    output_tokens = s.output_tokens + excluded.output_tokens,
    timed_tokens = s.timed_tokens + excluded.timed_tokens,
    timed_ms = s.timed_ms + excluded.timed_ms,
    latency = CASE WHEN cardinality(s.latency) + cardinality(excluded.latency) > 96
        THEN usage_packed(s.latency || excluded.latency) ELSE s.latency || excluded.latency END,
    first_token = CASE WHEN cardinality(s.first_token) + cardinality(excluded.first_token) > 96
        THEN usage_packed(s.first_token || excluded.first_token) ELSE s.first_token || excluded.first_token END;
END
$$;

-- Takes rows from before there were these sums into them, the newest first, `most` or so at once. Returns whether there may be
-- more. Another process at work: nothing is done. Rows are read as far back as the log reaches, hours before that.
CREATE FUNCTION usage_fill_stats(most integer) RETURNS boolean LANGUAGE plpgsql
SET plan_cache_mode = force_custom_plan
AS $$
DECLARE
  done timestamptz;
  kept_from timestamptz;
  lower timestamptz;
BEGIN
  SELECT stats_from INTO done FROM usage_mark FOR UPDATE SKIP LOCKED;
  IF NOT FOUND OR done = '-infinity' THEN
    RETURN false;
  END IF;
  -- The hour in which the log ends has lost rows: it is read as an hour.
  SELECT date_trunc('hour', value::timestamptz + interval '1 hour' - interval '1 microsecond', 'UTC')
    INTO kept_from FROM facts WHERE name = 'usage_log.trimmed_before';
  SELECT date_trunc('second', min(created_at)) INTO lower FROM (
    SELECT created_at FROM usage_log
    WHERE created_at < done AND created_at >= coalesce(kept_from, '-infinity')
    ORDER BY created_at DESC LIMIT most
  ) AS newest;
  IF lower IS NOT NULL THEN
    PERFORM usage_add_stats(lower, done);
  ELSIF kept_from IS NOT NULL THEN
    SELECT max(hour) INTO lower FROM usage_hours WHERE hour < least(done, kept_from);
    IF lower IS NOT NULL THEN
      PERFORM usage_add_stats_of_hour(lower);
    END IF;
  END IF;
  UPDATE usage_mark SET stats_from = coalesce(lower, '-infinity');
  RETURN lower IS NOT NULL;
END
$$;

-- Finds the greatest of the latest day that is over and whole. Returns whether there may be more. Rows that come later are of
-- later days, since the mark never moves back.
CREATE FUNCTION usage_rank_day() RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  latest timestamptz;
BEGIN
  SELECT max(d.day) INTO latest FROM usage_mark m, usage_stat_days d
  WHERE d.kind = 'all' AND d.day < date_trunc('day', m.rolled_until, 'UTC') AND d.day >= m.stats_from
    AND NOT EXISTS (SELECT 1 FROM usage_top_days t WHERE t.day = d.day);
  IF latest IS NULL THEN
    RETURN false;
  END IF;
  INSERT INTO usage_top_days VALUES (latest) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  INSERT INTO usage_tops
  SELECT kind, measure, latest, user_id, id, name, amount FROM (
    SELECT d.kind, of.measure, d.user_id, d.id, d.name, of.amount, row_number() OVER (
      PARTITION BY d.kind, of.measure ORDER BY of.amount DESC, d.user_id, d.id, d.name
    ) AS place
    FROM usage_stat_days d CROSS JOIN LATERAL (VALUES
      ('requests'::usage_measure, d.requests),
      ('errors', d.errors),
      ('quota', d.quota),
      ('tokens', d.input_tokens + d.output_tokens)
    ) AS of (measure, amount)
    WHERE d.day = latest AND d.kind IN ('model', 'channel', 'group', 'user', 'token') AND of.amount > 0
  ) AS ranked WHERE place <= 200;
  RETURN true;
END
$$;

-- As before (0025), with these sums.
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
  PERFORM usage_add_stats(since, until);
  UPDATE usage_mark SET rolled_until = until;
  RETURN step IS NOT NULL;
END
$$;


UPDATE usage_mark SET stats_from = rolled_until WHERE rolled_until <> '-infinity';
-- Where the log was deleted into the hour of the mark, that hour is taken now, before more is summed into it.
WITH cut AS (
  UPDATE usage_mark SET stats_from = date_trunc('hour', rolled_until, 'UTC')
  WHERE rolled_until <> '-infinity' AND date_trunc('hour', rolled_until, 'UTC') < (
    SELECT value::timestamptz FROM facts WHERE name = 'usage_log.trimmed_before')
  RETURNING stats_from
)
SELECT usage_add_stats_of_hour(stats_from) FROM cut;
