-- Which low margins root was notified of: once for each channel (0: all together) and day. Notices themselves are deleted a day after
-- their delivery.
CREATE TABLE margin_notices (
  day        date NOT NULL,
  channel_id integer NOT NULL,
  PRIMARY KEY (day, channel_id)
);

-- As before (0033), with at most so many rows of the log, and as many costs beside them, in a step.
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
  SELECT date_trunc('second', min(created_at)) INTO step FROM (
    (SELECT created_at FROM usage_log
    WHERE created_at >= since AND created_at < until ORDER BY created_at OFFSET most LIMIT 1)
    UNION ALL
    (SELECT created_at FROM upstream_costs
    WHERE created_at >= since AND created_at < until ORDER BY created_at OFFSET most LIMIT 1)
  ) AS first_beyond;
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
  PERFORM usage_add_key_days(since, until);
  UPDATE usage_mark SET rolled_until = until;
  RETURN step IS NOT NULL;
END
$$;
