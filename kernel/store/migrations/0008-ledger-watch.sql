-- Who may call another process gone, holds that their own living process has lost sight of, how far the book has been
-- checked, and a number for each row of the usage log.

ALTER TABLE instances
  -- Since when its heartbeats have come without a break: who was cut off itself judges nobody (decision 33).
  ADD COLUMN connected_since   timestamptz NOT NULL DEFAULT now(),
  -- When it last compared its open holds with the requests it works on. Null: it runs a version that does not.
  ADD COLUMN holds_compared_at timestamptz;

-- Since when its own process, though alive, has not been working on it.
ALTER TABLE billing_requests ADD COLUMN abandoned_at timestamptz;

-- Whether who asks may take a silent process for dead: it has itself been connected for a whole lease, within which every
-- living process had its chance to be heard.
CREATE FUNCTION billing_watches(sweeper text, sweeper_epoch bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM instances w
    WHERE w.id = sweeper AND w.epoch = sweeper_epoch AND w.stopped_at IS NULL
      AND w.last_seen > now() - interval '10 seconds'
      AND w.connected_since < now() - interval '30 seconds')
$$;

-- Closes holds whose owner is gone, at their last mark; returns how many. An owner is gone when it was replaced, stopped
-- or deleted; one that has only been silent for longer than the lease is gone when the sweeper has been connected for
-- at least as long. A task is not swept: its deadline owns it.
CREATE FUNCTION billing_sweep(most integer, sweeper text, sweeper_epoch bigint) RETURNS integer LANGUAGE plpgsql
SET enable_seqscan = off
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  watches boolean := billing_watches(sweeper, sweeper_epoch);
  ids text[];
  marks bigint[];
BEGIN
  -- The open rows first, by their own small index; the ordered scan of every request ever made
  -- would be the other way.
  WITH candidate AS MATERIALIZED (
    SELECT r.request_id FROM billing_requests r LEFT JOIN instances i ON i.id = r.owner_instance
    WHERE r.state = 'reserved' AND r.kind <> 'task' AND (i.id IS NULL OR r.owner_epoch < i.epoch
      OR i.stopped_at IS NOT NULL OR watches AND i.last_seen < now() - interval '30 seconds')
  )
  SELECT array_agg(o.request_id), array_agg(o.progress) INTO ids, marks FROM (
    SELECT r.request_id, r.progress
    FROM billing_requests r LEFT JOIN instances i ON i.id = r.owner_instance
    WHERE r.request_id = ANY (
        ARRAY(SELECT c.request_id FROM candidate c ORDER BY c.request_id LIMIT most))
      AND r.state = 'reserved' AND (i.id IS NULL OR r.owner_epoch < i.epoch
        OR i.stopped_at IS NOT NULL OR watches AND i.last_seen < now() - interval '30 seconds')
    ORDER BY r.request_id FOR NO KEY UPDATE OF r SKIP LOCKED
  ) o;
  IF ids IS NULL THEN
    RETURN 0;
  END IF;
  PERFORM billing_apply(
    '', 0, ids, array_fill('close'::text, ARRAY[cardinality(ids)]), NULL, NULL, NULL, NULL, marks,
    (SELECT jsonb_agg('{"outcome": "orphan", "detail": {"outcome": "orphan"}}'::jsonb)
      FROM unnest(ids)));
  RETURN cardinality(ids);
END
$$;

-- As processes of an earlier version ask: they say nothing of themselves, so they judge nobody by silence.
CREATE OR REPLACE FUNCTION billing_sweep(most integer) RETURNS integer LANGUAGE sql
AS $$ SELECT billing_sweep(most, '', 0) $$;

-- A process says which of its open holds it is not working on; none: all is well. What it says stays with the row until
-- the hold is closed.
CREATE FUNCTION billing_abandoned(owner text, owner_epoch bigint, ids text[]) RETURNS void LANGUAGE sql
SET enable_seqscan = off
AS $$
  UPDATE instances i SET holds_compared_at = now()
  WHERE i.id = owner AND i.epoch = billing_abandoned.owner_epoch;
  UPDATE billing_requests r SET abandoned_at = now()
  WHERE r.request_id IN (
      SELECT o.request_id FROM billing_requests o
      WHERE o.request_id = ANY (ids) AND o.state = 'reserved' AND o.abandoned_at IS NULL
        AND o.owner_instance = owner AND o.owner_epoch = billing_abandoned.owner_epoch
      ORDER BY o.request_id FOR NO KEY UPDATE SKIP LOCKED)
$$;

-- Closes one such hold: at what it is known to have cost, else at its last mark. Returns whether it was open.
CREATE FUNCTION billing_close_abandoned(id text, actual bigint) RETURNS boolean LANGUAGE plpgsql
SET enable_seqscan = off
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  cost bigint;
BEGIN
  SELECT coalesce(actual, r.progress) INTO cost FROM billing_requests r
  WHERE r.request_id = id AND r.state = 'reserved' AND r.abandoned_at IS NOT NULL
  FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM billing_apply(
    '', 0, ARRAY[id], '{close}', NULL, NULL, NULL, NULL, ARRAY[cost],
    '[{"outcome": "orphan", "detail": {"outcome": "orphan"}}]'::jsonb);
  RETURN true;
END
$$;

-- How far the book has been checked, and what the last check said; one row, for all processes (decision 34).
CREATE TABLE ledger_checks (
  id             smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  -- Transfers up to this id are verified and summed in `ledger_sums`; requests closed and rows logged before this moment
  -- are verified. 0 and -infinity: nothing is.
  transfers_upto bigint NOT NULL DEFAULT 0,
  closed_until   timestamptz NOT NULL DEFAULT '-infinity',
  -- When the whole book was last found sound; null: never.
  whole_at       timestamptz,
  -- The last check that came to an end, as JSON; null: none has.
  report         jsonb,
  checked_at     timestamptz,
  -- Why the last one came to no end; null: it did.
  failure        text,
  failed_at      timestamptz
);
INSERT INTO ledger_checks DEFAULT VALUES;

-- What the verified transfers come to: for each account credits less debits, for each token what its requests cost.
CREATE TABLE ledger_sums (
  of_token boolean NOT NULL,
  id       integer NOT NULL,
  amount   numeric NOT NULL,
  PRIMARY KEY (of_token, id)
);

-- Lets a check find what was closed lately, at next to no cost for the close.
CREATE INDEX billing_requests_closed_idx ON billing_requests USING brin (closed_at) WITH (pages_per_range = 32);
-- And who has a reason to be in debt: few.
CREATE INDEX billing_requests_shortfall_idx ON billing_requests (funding_account) WHERE shortfall > 0;

-- Numbers the rows as they are written: several of one request are told apart by it.
CREATE SEQUENCE usage_log_ids;
ALTER TABLE usage_log ADD COLUMN id bigint NOT NULL DEFAULT nextval('usage_log_ids');
ALTER SEQUENCE usage_log_ids OWNED BY usage_log.id;

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
    nextval('usage_log_ids')
$$;
