-- Budgets of API keys: how much a key may use within a day, a week or a month (ledger/README.md section 13), and how many
-- requests and tokens within a minute.

ALTER TABLE tokens
  ADD COLUMN budget_quota  bigint CHECK (budget_quota > 0),
  ADD COLUMN budget_period text CHECK (budget_period IN ('day', 'week', 'month')),
  -- When the period was chosen: what was begun before it counts in no budget.
  ADD COLUMN budget_since  timestamptz,
  -- 0: no limit.
  ADD COLUMN rpm_limit     integer NOT NULL DEFAULT 0 CHECK (rpm_limit >= 0),
  ADD COLUMN tpm_limit     integer NOT NULL DEFAULT 0 CHECK (tpm_limit >= 0),
  ADD CONSTRAINT tokens_budget_check CHECK (
    (budget_quota IS NULL) = (budget_period IS NULL) AND (budget_quota IS NULL) = (budget_since IS NULL));

-- What each period of a key has used and set aside. The ledger alone writes it, with the row of the token locked.
CREATE TABLE token_budgets (
  token_id  integer NOT NULL REFERENCES tokens (id) ON DELETE CASCADE,
  starts_at timestamptz NOT NULL,
  used      bigint NOT NULL DEFAULT 0,
  held      bigint NOT NULL DEFAULT 0 CHECK (held >= 0),
  PRIMARY KEY (token_id, starts_at)
) WITH (fillfactor = 50);

-- What owners have been notified of: 80 or 100 percent of a period.
CREATE TABLE token_budget_notices (
  token_id  integer NOT NULL REFERENCES tokens (id) ON DELETE CASCADE,
  starts_at timestamptz NOT NULL,
  percent   smallint NOT NULL,
  PRIMARY KEY (token_id, starts_at, percent)
);

-- Those with a budget, for who looks for budgets that run out.
CREATE INDEX tokens_budget_idx ON tokens (id) WHERE budget_quota IS NOT NULL AND deleted_at IS NULL;

-- The period a request counts in, from its first hold to its last correction. Null: in none.
ALTER TABLE billing_requests ADD COLUMN budget_from timestamptz;
-- For the check of the books. Neither column changes, so a close does not touch it.
CREATE INDEX billing_requests_budget_idx ON billing_requests (token_id, budget_from)
  WHERE budget_from IS NOT NULL;

-- When the period that runs began to count: at its start in UTC, or when it was chosen.
CREATE FUNCTION token_budget_from(period text, since timestamptz, at timestamptz DEFAULT now()) RETURNS timestamptz
LANGUAGE sql STABLE AS $$ SELECT greatest(since, date_trunc(period, at, 'UTC')) $$;

-- When it ends.
CREATE FUNCTION token_budget_end(period text, at timestamptz DEFAULT now()) RETURNS timestamptz
LANGUAGE sql STABLE AS $$
  SELECT (date_trunc(period, at AT TIME ZONE 'UTC') + ('1 ' || period)::interval) AT TIME ZONE 'UTC'
$$;

-- As before (0002), with budgets. Of reserves another letter: b short of the budget of the token. Its note, and that of a
-- hold that was made, ends with what the budget has left beyond it.
CREATE OR REPLACE FUNCTION billing_apply(
  owner text, owner_epoch bigint, ids text[], kinds text[], callers integer[],
  asked_accounts integer[], asked_tokens integer[], revisions integer[], amounts bigint[],
  payloads jsonb,
  OUT reserves text, OUT closes text, OUT marks text, OUT notes jsonb
) LANGUAGE plpgsql
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan
SET jit = off
AS $$
#variable_conflict use_column
DECLARE
  pinned_accounts integer[];
  pinned_tokens integer[];
  more jsonb;
BEGIN
  IF '' = ANY (ids) OR array_position(ids, NULL) IS NOT NULL THEN
    RAISE EXCEPTION 'a billing operation without a request id' USING ERRCODE = 'not_null_violation';
  END IF;
  IF 0 > ANY (amounts) OR array_position(amounts, NULL) IS NOT NULL THEN
    RAISE EXCEPTION 'a billing operation without an amount' USING ERRCODE = 'check_violation';
  END IF;

  IF 'abandon' = ANY (kinds) THEN
    INSERT INTO billing_requests (
      request_id, kind, user_id, token_id, funding_account, state, revision, reserved,
      owner_instance, owner_epoch)
    SELECT o.id, 'sync', o.caller, o.token, o.account, 'reserved', o.revision, 0, owner,
      billing_apply.owner_epoch
    FROM unnest(ids, kinds, callers, asked_accounts, asked_tokens, revisions)
      AS o (id, kind, caller, account, token, revision)
    WHERE o.kind = 'abandon' ORDER BY o.id
    ON CONFLICT DO NOTHING;
  END IF;

  SELECT array_agg(r.funding_account), array_agg(r.token_id) INTO pinned_accounts, pinned_tokens
  FROM (
    SELECT funding_account, token_id FROM billing_requests
    WHERE request_id = ANY (ids) ORDER BY request_id FOR NO KEY UPDATE
  ) r;
  PERFORM 1 FROM tokens WHERE id = ANY (asked_tokens || pinned_tokens) ORDER BY id
    FOR NO KEY UPDATE;
  PERFORM 1 FROM accounts WHERE id = ANY (asked_accounts || pinned_accounts) ORDER BY id
    FOR NO KEY UPDATE;

  IF 'reserve' = ANY (kinds) THEN
    WITH asked AS MATERIALIZED (
      SELECT
        o.ordinal, o.id, o.caller, o.revision, o.amount, o.payload,
        r.revision AS seen, r.state, r.reserved, r.settled, r.shortfall, r.outcome,
        coalesce(r.funding_account, o.account) AS account_id,
        CASE WHEN r.revision IS NULL THEN o.token ELSE r.token_id END AS token_id,
        -- What is asked for on top of what is set aside.
        greatest(o.amount - coalesce(r.reserved, 0), 0) AS step,
        a.posted - a.held - a.floor AS room, t.limit_quota - t.used - t.held AS token_room,
        w.starts_at AS budget_from,
        t.budget_quota - coalesce(b.used + b.held, 0) AS budget_room,
        coalesce(a.active AND NOT a.blocked, false)
          AND (CASE WHEN r.revision IS NULL THEN o.token ELSE r.token_id END IS NULL OR coalesce(
            t.status = 1 AND t.deleted_at IS NULL AND coalesce(t.expires_at > now(), true), false
          )) AS usable
      FROM ROWS FROM (
        unnest(ids), unnest(kinds), unnest(callers), unnest(asked_accounts), unnest(asked_tokens),
        unnest(revisions), unnest(amounts), jsonb_array_elements(payloads)
      ) WITH ORDINALITY AS o (id, kind, caller, account, token, revision, amount, payload, ordinal)
      LEFT JOIN billing_requests r ON r.request_id = o.id
      LEFT JOIN accounts a ON a.id = coalesce(r.funding_account, o.account) AND a.id > 0
      LEFT JOIN tokens t ON t.id = CASE WHEN r.revision IS NULL THEN o.token ELSE r.token_id END
      -- A request stays in the period it began in; one that began without a budget is in none.
      CROSS JOIN LATERAL (SELECT CASE
        WHEN r.revision IS NOT NULL THEN r.budget_from
        WHEN t.budget_period IS NOT NULL THEN token_budget_from(t.budget_period, t.budget_since)
      END AS starts_at) w
      LEFT JOIN token_budgets b ON b.token_id = t.id AND b.starts_at = w.starts_at
      WHERE o.kind = 'reserve'
    ),
    alone AS (
      SELECT
        *,
        CASE
          WHEN state <> 'reserved' THEN 'x'
          WHEN revision <= seen THEN 'd'
          WHEN NOT coalesce((
            SELECT i.epoch = billing_apply.owner_epoch AND i.stopped_at IS NULL
              AND i.last_seen > now() - interval '30 seconds'
            FROM instances i WHERE i.id = owner
          ), false) THEN 'f'
          WHEN NOT usable THEN 'g'
          WHEN step > 0 AND step > token_room THEN 't'
          WHEN step > 0 AND budget_from IS NOT NULL AND step > budget_room THEN 'b'
          WHEN step > 0 AND step > room THEN 's'
          ELSE 'o'
        END AS letter
      FROM asked
      OFFSET 0
    ),
    -- Those who fit alone but not together with the others on their account or token come again,
    -- each alone.
    judged AS MATERIALIZED (
      SELECT
        ordinal, id, caller, revision, amount, payload, seen, state, reserved, settled, shortfall,
        outcome, account_id, token_id, step, budget_from, budget_room,
        CASE WHEN letter = 'o' AND step > 0 AND (
          sum(step) FILTER (WHERE letter = 'o') OVER (PARTITION BY account_id) > room
          OR coalesce(
            sum(step) FILTER (WHERE letter = 'o') OVER (PARTITION BY token_id) > token_room, false)
          OR budget_from IS NOT NULL AND coalesce(
            sum(step) FILTER (WHERE letter = 'o') OVER (PARTITION BY token_id, budget_from) > budget_room,
            false)
        ) THEN 'a' ELSE letter END AS letter
      FROM alone
    ),
    opened AS (
      INSERT INTO billing_requests (
        request_id, kind, user_id, token_id, funding_account, state, revision, reserved, draft,
        owner_instance, owner_epoch, budget_from)
      SELECT
        id, coalesce(payload ->> 'kind', 'sync')::billing_kind, caller, token_id, account_id,
        'reserved', revision, amount, payload -> 'draft', owner, billing_apply.owner_epoch,
        budget_from
      FROM judged WHERE letter = 'o' AND seen IS NULL ORDER BY id
      ON CONFLICT DO NOTHING
      RETURNING request_id
    ),
    -- A request that another session made meanwhile is asked again.
    admitted AS MATERIALIZED (
      SELECT id, ordinal, account_id, token_id, step, budget_from FROM judged
      WHERE letter = 'o' AND (seen IS NOT NULL OR id IN (SELECT request_id FROM opened))
    ),
    extended AS (
      UPDATE billing_requests r
      SET
        reserved = greatest(r.reserved, j.amount), revision = j.revision,
        draft = coalesce(j.payload -> 'draft', r.draft),
        owner_instance = owner, owner_epoch = billing_apply.owner_epoch
      FROM judged j WHERE r.request_id = j.id AND j.letter = 'o' AND j.seen IS NOT NULL
    ),
    held_accounts AS (
      UPDATE accounts a SET held = a.held + m.held
      FROM (SELECT account_id, sum(step)::bigint AS held FROM admitted GROUP BY account_id) m
      WHERE a.id = m.account_id AND m.held > 0
    ),
    held_tokens AS (
      UPDATE tokens t SET held = t.held + m.held
      FROM (SELECT token_id, sum(step)::bigint AS held FROM admitted GROUP BY token_id) m
      WHERE t.id = m.token_id AND m.held > 0
    ),
    held_budgets AS (
      INSERT INTO token_budgets AS b (token_id, starts_at, held)
      SELECT token_id, budget_from, sum(step)::bigint FROM admitted
      WHERE budget_from IS NOT NULL GROUP BY token_id, budget_from
      ON CONFLICT (token_id, starts_at) DO UPDATE SET held = b.held + excluded.held
      WHERE excluded.held > 0
    )
    SELECT
      string_agg(
        CASE WHEN letter = 'o' AND id NOT IN (SELECT id FROM admitted) THEN 'a' ELSE letter END,
        '' ORDER BY ordinal),
      jsonb_object_agg(id,
        jsonb_build_array(state, settled::text, coalesce(shortfall, 0)::text, outcome,
          coalesce(reserved, amount)::text, seen, (budget_room - step)::text))
        FILTER (WHERE letter = 'd' OR letter IN ('o', 'b') AND budget_from IS NOT NULL)
    INTO reserves, notes FROM judged;
  END IF;

  IF 'close' = ANY (kinds) OR 'abandon' = ANY (kinds) THEN
    WITH asked AS MATERIALIZED (
      SELECT
        o.ordinal, o.id, o.amount, o.payload, r.state, r.user_id, r.token_id,
        r.funding_account AS account_id, r.reserved, r.revision, r.settled, r.shortfall, r.outcome,
        r.budget_from,
        coalesce(o.payload -> 'draft', r.draft) AS draft,
        o.amount > 0 OR coalesce((o.payload ->> 'delivered')::boolean, false) AS charged,
        -- How far each charge pushes the account below its floor, counting the closes before it.
        CASE WHEN r.state = 'reserved' AND o.amount > r.reserved THEN least(
          o.amount - r.reserved,
          greatest(0,
            (SELECT a.floor - a.posted + a.held FROM accounts a WHERE a.id = r.funding_account)
            + sum(CASE WHEN r.state = 'reserved' THEN o.amount - r.reserved END)
              OVER (PARTITION BY r.funding_account ORDER BY o.ordinal)
          )
        ) ELSE 0 END AS missing
      FROM ROWS FROM (
        unnest(ids), unnest(kinds), unnest(amounts), jsonb_array_elements(payloads)
      ) WITH ORDINALITY AS o (id, kind, amount, payload, ordinal)
      LEFT JOIN billing_requests r ON r.request_id = o.id
      WHERE o.kind IN ('close', 'abandon')
    ),
    closing AS MATERIALIZED (SELECT * FROM asked WHERE state = 'reserved'),
    closed AS (
      UPDATE billing_requests r
      SET
        state = (CASE WHEN c.charged THEN 'settled' ELSE 'released' END)::billing_state,
        settled = CASE WHEN c.charged THEN c.amount END, shortfall = c.missing, draft = c.draft,
        pricing_snapshot = c.payload -> 'snapshot', usage = c.payload -> 'usage',
        outcome = c.payload ->> 'outcome', closed_at = now()
      FROM closing c WHERE r.request_id = c.id
    ),
    paid_accounts AS (
      UPDATE accounts a
      SET held = a.held - m.reserved, posted = a.posted - m.amount, used = a.used + m.amount,
        requests = a.requests + m.charged
      FROM (
        SELECT account_id, sum(reserved)::bigint AS reserved, sum(amount)::bigint AS amount,
          count(*) FILTER (WHERE charged) AS charged
        FROM closing GROUP BY account_id
      ) m WHERE a.id = m.account_id AND m.reserved + m.amount + m.charged > 0
    ),
    paid_tokens AS (
      UPDATE tokens t SET held = t.held - m.reserved, used = t.used + m.amount, accessed_at = now()
      FROM (
        SELECT token_id, sum(reserved)::bigint AS reserved, sum(amount)::bigint AS amount
        FROM closing GROUP BY token_id
      ) m WHERE t.id = m.token_id
    ),
    paid_budgets AS (
      UPDATE token_budgets b SET held = b.held - m.reserved, used = b.used + m.amount
      FROM (
        SELECT token_id, budget_from, sum(reserved)::bigint AS reserved, sum(amount)::bigint AS amount
        FROM closing WHERE budget_from IS NOT NULL GROUP BY token_id, budget_from
      ) m WHERE b.token_id = m.token_id AND b.starts_at = m.budget_from
        AND m.reserved + m.amount > 0
    ),
    transferred AS (
      INSERT INTO transfers (idem_key, kind, debit_account, credit_account, amount, request_id)
      SELECT 'settle:' || id, 'settle', account_id, -1, amount, id FROM closing WHERE amount > 0
    ),
    logged AS (
      INSERT INTO usage_log
      SELECT l.* FROM closing c
      CROSS JOIN LATERAL usage_log_row(
        c.id, 2::smallint, c.user_id, c.token_id, c.amount, c.draft, c.payload) l
      WHERE c.charged
    )
    SELECT
      string_agg(CASE WHEN state = 'reserved' THEN 'c' WHEN state IS NULL THEN 'n' ELSE 'y' END,
        '' ORDER BY ordinal),
      jsonb_object_agg(id, jsonb_build_array(state, settled::text,
        CASE state WHEN 'reserved' THEN missing ELSE shortfall END::text,
        outcome, reserved::text, revision))
        FILTER (WHERE state <> 'reserved' OR missing > 0)
    INTO closes, more FROM asked;
    notes := coalesce(notes || more, notes, more);
  END IF;

  IF 'mark' = ANY (kinds) THEN
    UPDATE billing_requests r
    SET progress = greatest(r.progress, o.amount), owner_instance = owner,
      owner_epoch = billing_apply.owner_epoch
    FROM unnest(ids, kinds, amounts) AS o (id, kind, amount)
    WHERE r.request_id = o.id AND o.kind = 'mark' AND r.state = 'reserved'
      AND (o.amount > r.progress OR r.owner_epoch <> billing_apply.owner_epoch);
    SELECT string_agg(CASE
      WHEN r.state IS DISTINCT FROM 'reserved' THEN 'x'
      WHEN coalesce(a.active AND NOT a.blocked, false) AND (r.token_id IS NULL OR coalesce(
        t.status = 1 AND t.deleted_at IS NULL AND coalesce(t.expires_at > now(), true), false
      )) THEN 'o'
      ELSE 'g'
    END, '' ORDER BY o.ordinal)
    INTO marks
    FROM unnest(ids, kinds) WITH ORDINALITY AS o (id, kind, ordinal)
    LEFT JOIN billing_requests r ON r.request_id = o.id
    LEFT JOIN accounts a ON a.id = r.funding_account
    LEFT JOIN tokens t ON t.id = r.token_id
    WHERE o.kind = 'mark';
  END IF;
END
$$;

-- As before (0002), with the budget of the period the request counts in.
CREATE OR REPLACE FUNCTION ledger_post(
  key text, kind text, debit integer, credit integer, amount bigint, request text, ref jsonb,
  overdraw boolean DEFAULT false, token integer DEFAULT NULL,
  OUT verdict text, OUT balance bigint
) LANGUAGE plpgsql
SET enable_seqscan = off
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  room bigint;
  charge bigint := CASE -1 WHEN credit THEN amount WHEN debit THEN -amount ELSE 0 END;
BEGIN
  IF coalesce(key, '') = '' OR coalesce(request, '') = '' THEN
    RAISE EXCEPTION 'a posting without a key or a request id' USING ERRCODE = 'not_null_violation';
  END IF;
  PERFORM 1 FROM tokens t WHERE t.id = token FOR NO KEY UPDATE;
  PERFORM 1 FROM accounts a WHERE a.id IN (debit, credit) AND a.id > 0 ORDER BY a.id
    FOR NO KEY UPDATE;
  IF (SELECT count(*) FROM accounts a WHERE a.id IN (debit, credit)) < 2 THEN
    RAISE EXCEPTION 'a posting names an account that does not exist'
      USING ERRCODE = 'foreign_key_violation';
  END IF;
  SELECT a.posted - a.held - a.floor INTO room FROM accounts a WHERE a.id = debit AND a.id > 0;

  IF EXISTS (SELECT FROM transfers WHERE idem_key = key) THEN
    verdict := 'already';
  ELSIF NOT overdraw AND room < amount THEN
    verdict := 'short';
  ELSE
    INSERT INTO transfers (idem_key, kind, debit_account, credit_account, amount, request_id, ref)
    VALUES (key, ledger_post.kind, debit, credit, ledger_post.amount, request, ledger_post.ref)
    ON CONFLICT DO NOTHING;
    verdict := CASE WHEN FOUND THEN 'posted' ELSE 'already' END;
  END IF;

  IF verdict = 'posted' THEN
    UPDATE accounts a SET
      posted = a.posted + CASE WHEN a.id = credit THEN amount ELSE -amount END,
      used = a.used + charge
    WHERE a.id IN (debit, credit) AND a.id > 0;
    UPDATE tokens t SET used = t.used + charge WHERE t.id = token;
    UPDATE token_budgets b SET used = b.used + charge FROM billing_requests r
    WHERE r.request_id = request AND b.token_id = token AND b.starts_at = r.budget_from;
  END IF;
  SELECT a.posted - a.held INTO balance FROM accounts a
  WHERE a.id = CASE WHEN debit > 0 THEN debit ELSE credit END;
END
$$;
