-- What each request costs upstream, beside what it earns: by the terms of its channel, in billionths of a USD. Null is unknown:
-- the channel has no terms, or has none for this model. What was served before stays unknown.

-- A factor of the list price, prices of its own by model, or both. Null: there are none.
ALTER TABLE channels ADD COLUMN cost_terms jsonb;

-- Of the call that was charged. Of the end of a media task: how much more, or less, than at its beginning.
ALTER TABLE usage_log ADD COLUMN upstream_cost bigint;

-- What upstreams charge for beside that: calls that failed after they were counted, and corrections of tasks. `part` tells those
-- of one request apart.
CREATE TABLE upstream_costs (
  request_id     text NOT NULL,
  part           integer NOT NULL,
  created_at     timestamptz NOT NULL DEFAULT now(),
  channel_id     integer NOT NULL,
  user_id        integer NOT NULL,
  token_id       integer,
  model_name     text NOT NULL,
  upstream_model text NOT NULL,
  group_name     text NOT NULL,
  cost           bigint,
  PRIMARY KEY (request_id, part)
);
CREATE INDEX upstream_costs_created_at_idx ON upstream_costs (created_at);

-- As before (0008), with the cost.
CREATE OR REPLACE FUNCTION usage_log_row(
  request text, kind smallint, caller integer, token integer, amount bigint,
  draft jsonb, payload jsonb
) RETURNS SETOF usage_log LANGUAGE sql STABLE ROWS 1 AS $$
  SELECT
    request, now(), kind, caller, coalesce(draft ->> 'username', ''),
    token, coalesce(draft ->> 'tokenName', ''),
    (draft ->> 'channelId')::integer, coalesce(draft ->> 'channelName', ''),
    coalesce(draft ->> 'model', ''), coalesce(draft ->> 'upstreamModel', ''),
    coalesce(draft ->> 'group', ''), amount,
    coalesce((payload ->> 'promptTokens')::integer, 0),
    coalesce((payload ->> 'completionTokens')::integer, 0),
    coalesce((payload ->> 'durationMs')::integer, 0),
    coalesce((draft ->> 'isStream')::boolean, false),
    coalesce(draft ->> 'address', ''), coalesce(payload -> 'detail', '{}'),
    nextval('usage_log_ids'), (payload ->> 'cost')::bigint
$$;

-- What calls that were not charged have cost comes with the close, in its usage, and is written with it: once, or not at all.
CREATE FUNCTION billing_note_attempts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO upstream_costs
  SELECT
    NEW.request_id, place, now(), (attempt ->> 'channel')::integer, NEW.user_id, NEW.token_id,
    coalesce(NEW.draft ->> 'model', ''), coalesce(attempt ->> 'model', ''), coalesce(NEW.draft ->> 'group', ''),
    (attempt ->> 'cost')::bigint
  FROM jsonb_array_elements(NEW.usage -> 'attempts') WITH ORDINALITY AS given (attempt, place)
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
CREATE TRIGGER billing_requests_attempts AFTER UPDATE OF usage ON billing_requests
  FOR EACH ROW WHEN (NEW.usage -> 'attempts' IS NOT NULL) EXECUTE FUNCTION billing_note_attempts();

-- `cost` is what is known of it; `cost_quota` is what of `quota` was earned where the cost is known.
ALTER TABLE usage_stat_days ADD COLUMN cost bigint NOT NULL DEFAULT 0, ADD COLUMN cost_quota bigint NOT NULL DEFAULT 0;
ALTER TABLE usage_stat_hours ADD COLUMN cost bigint NOT NULL DEFAULT 0, ADD COLUMN cost_quota bigint NOT NULL DEFAULT 0;

-- As an upstream's bill has it: by channel, and by the model the upstream was asked for. Of known costs alone.
CREATE TABLE usage_cost_days (
  day            timestamptz NOT NULL,
  channel_id     integer NOT NULL,
  upstream_model text NOT NULL,
  cost           bigint NOT NULL,
  PRIMARY KEY (channel_id, day, upstream_model)
) WITH (fillfactor = 70);

-- The rows of one hour. They are grouped once, for hours and days alike.
CREATE FUNCTION usage_add_stats_within(since timestamptz, until timestamptz, of_hour timestamptz) RETURNS void LANGUAGE plpgsql
SET plan_cache_mode = force_custom_plan
SET work_mem = '32MB'
AS $$
DECLARE
  of_day timestamptz := date_trunc('day', of_hour, 'UTC');
BEGIN
  -- In steps, since functions are part of a plan where they are given columns and called where they are given more.
  WITH logged AS MATERIALIZED (
    SELECT
      user_id, coalesce(token_id, 0) AS token_id, coalesce(channel_id, 0) AS channel_id,
      model_name, upstream_model, group_name, type, quota, prompt_tokens, completion_tokens, use_time_ms::bigint,
      is_stream, upstream_cost, detail -> 'frt' AS frt, detail -> 'further_errors' AS further,
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
      usage_number(write) + usage_number(write_long) AS written,
      CASE type WHEN 2 THEN quota WHEN 6 THEN -quota ELSE 0 END AS net
    FROM opened
  ),
  slice AS MATERIALIZED (
    SELECT
      user_id, token_id, channel_id, model_name, upstream_model, group_name,
      (type = 2)::integer AS requests,
      CASE type WHEN 5 THEN 1 + usage_number(further) ELSE 0 END AS errors,
      net AS quota,
      CASE WHEN type = 5 THEN 0 ELSE prompt_tokens END AS input_tokens,
      cache_read_tokens, least(written, prompt_tokens - cache_read_tokens) AS cache_write_tokens,
      CASE WHEN type = 5 THEN 0 ELSE completion_tokens END AS output_tokens,
      CASE WHEN type = 2 AND use_time_ms > first_ms THEN completion_tokens ELSE 0 END AS timed_tokens,
      -- A stream generates from its first token on.
      CASE WHEN type = 2 AND use_time_ms > first_ms AND completion_tokens > 0
        THEN use_time_ms - first_ms ELSE 0 END AS timed_ms,
      CASE WHEN type = 2 AND use_time_ms > 0 THEN usage_bucket(use_time_ms) END AS latency,
      CASE WHEN first_ms > 0 THEN usage_bucket(first_ms) END AS first_token,
      upstream_cost AS cost, CASE WHEN upstream_cost IS NULL THEN 0 ELSE net END AS cost_quota
    FROM counted
    UNION ALL
    SELECT
      user_id, coalesce(token_id, 0), channel_id, model_name, upstream_model, group_name,
      0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, cost, 0
    FROM upstream_costs WHERE created_at >= since AND created_at < until AND cost <> 0
  ),
  summed AS MATERIALIZED (
    SELECT
      part.kind, part.user_id, part.id, part.name,
      sum(requests) AS requests, sum(errors) AS errors, sum(quota) AS quota, sum(input_tokens) AS input_tokens,
      sum(cache_read_tokens) AS cache_read_tokens, sum(cache_write_tokens) AS cache_write_tokens,
      sum(output_tokens) AS output_tokens, sum(timed_tokens) AS timed_tokens, sum(timed_ms) AS timed_ms,
      coalesce(sum(cost), 0) AS cost, sum(cost_quota) AS cost_quota,
      coalesce(CASE WHEN count(latency) > 96
        THEN usage_packed(array_agg(latency) FILTER (WHERE latency IS NOT NULL))
        ELSE array_agg(latency) FILTER (WHERE latency IS NOT NULL) END, '{}') AS latency,
      coalesce(CASE WHEN count(first_token) > 96
        THEN usage_packed(array_agg(first_token) FILTER (WHERE first_token IS NOT NULL))
        ELSE array_agg(first_token) FILTER (WHERE first_token IS NOT NULL) END, '{}') AS first_token
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
    GROUP BY 1, 2, 3, 4
  ),
  billed AS (
    INSERT INTO usage_cost_days AS d
    SELECT of_day, channel_id, upstream_model, sum(cost) FROM slice WHERE cost IS NOT NULL
    GROUP BY channel_id, upstream_model ORDER BY channel_id, upstream_model
    ON CONFLICT (channel_id, day, upstream_model) DO UPDATE SET cost = d.cost + excluded.cost
  ),
  by_hour AS (
    INSERT INTO usage_stat_hours AS s (
      kind, hour, user_id, id, name, requests, errors, quota, input_tokens, cache_read_tokens, cache_write_tokens,
      output_tokens, timed_tokens, timed_ms, cost, cost_quota, latency, first_token)
    SELECT kind, of_hour, user_id, id, name, requests, errors, quota, input_tokens, cache_read_tokens, cache_write_tokens,
      output_tokens, timed_tokens, timed_ms, cost, cost_quota, latency, first_token
    FROM summed WHERE kind IN ('all', 'model', 'channel', 'group', 'user') ORDER BY kind, user_id, id, name
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
      cost = s.cost + excluded.cost,
      cost_quota = s.cost_quota + excluded.cost_quota,
      latency = CASE WHEN cardinality(s.latency) + cardinality(excluded.latency) > 96
        THEN usage_packed(s.latency || excluded.latency) ELSE s.latency || excluded.latency END,
      first_token = CASE WHEN cardinality(s.first_token) + cardinality(excluded.first_token) > 96
        THEN usage_packed(s.first_token || excluded.first_token) ELSE s.first_token || excluded.first_token END
  )
  INSERT INTO usage_stat_days AS s (
    kind, day, user_id, id, name, requests, errors, quota, input_tokens, cache_read_tokens, cache_write_tokens,
    output_tokens, timed_tokens, timed_ms, cost, cost_quota, latency, first_token)
  SELECT kind, of_day, user_id, id, name, requests, errors, quota, input_tokens, cache_read_tokens, cache_write_tokens,
    output_tokens, timed_tokens, timed_ms, cost, cost_quota, latency, first_token
  FROM summed ORDER BY kind, user_id, id, name
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
    cost = s.cost + excluded.cost,
    cost_quota = s.cost_quota + excluded.cost_quota,
    latency = CASE WHEN cardinality(s.latency) + cardinality(excluded.latency) > 96
        THEN usage_packed(s.latency || excluded.latency) ELSE s.latency || excluded.latency END,
    first_token = CASE WHEN cardinality(s.first_token) + cardinality(excluded.first_token) > 96
        THEN usage_packed(s.first_token || excluded.first_token) ELSE s.first_token || excluded.first_token END;
END
$$;


-- As before (0027), hour by hour.
CREATE OR REPLACE FUNCTION usage_add_stats(since timestamptz, until timestamptz) RETURNS void LANGUAGE plpgsql
SET plan_cache_mode = force_custom_plan
AS $$
DECLARE
  of_hour timestamptz;
BEGIN
  FOR of_hour IN
    SELECT DISTINCT date_trunc('hour', created_at, 'UTC') FROM usage_log WHERE created_at >= since AND created_at < until
    UNION
    SELECT DISTINCT date_trunc('hour', created_at, 'UTC') FROM upstream_costs WHERE created_at >= since AND created_at < until
  LOOP
    PERFORM usage_add_stats_within(greatest(since, of_hour), least(until, of_hour + interval '1 hour'), of_hour);
  END LOOP;

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

-- As before (0027), by cost as well.
ALTER TYPE usage_measure ADD VALUE 'cost';
CREATE OR REPLACE FUNCTION usage_rank_day() RETURNS boolean LANGUAGE plpgsql AS $$
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
      ('tokens', d.input_tokens + d.output_tokens),
      ('cost', d.cost)
    ) AS of (measure, amount)
    WHERE d.day = latest AND d.kind IN ('model', 'channel', 'group', 'user', 'token') AND of.amount > 0
  ) AS ranked WHERE place <= 200;
  RETURN true;
END
$$;

-- As before (0027), from the first of the costs on.
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
    SELECT date_trunc('second', least(
      (SELECT min(created_at) FROM usage_log), (SELECT min(created_at) FROM upstream_costs))) INTO since;
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
