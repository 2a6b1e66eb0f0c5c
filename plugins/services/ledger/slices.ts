/**
 * Parts of the book, each verified by one statement that looks at one moment: requests with their transfers and log rows,
 * and transfers with their requests. What a part comes to is added to a table of sums.
 */
import { logReaches } from './invariants.js'

/**
 * `$1`, `$2`: closed or logged after the first moment, up to the second. Of each request its settlement in the book (I4),
 * and what the log holds of it (I5).
 */
export const requestsByTime = `
  WITH slice AS MATERIALIZED (
    SELECT request_id FROM billing_requests
    WHERE closed_at > $1::timestamptz AND closed_at <= $2::timestamptz
    UNION SELECT request_id FROM usage_log
    WHERE type IN (2, 6) AND created_at > $1::timestamptz AND created_at <= $2::timestamptz
  ),
  unposted AS (
    SELECT 'I4' AS invariant, coalesce(r.funding_account, t.debit_account) AS account_id,
      format('request %s: settled %s from account %s, its transfer says %s from %s', r.request_id,
        r.settled, r.funding_account, t.amount, t.debit_account) AS finding
    FROM slice JOIN billing_requests r USING (request_id)
    LEFT JOIN transfers t ON t.idem_key = 'settle:' || r.request_id AND t.kind = 'settle'
    WHERE nullif(r.settled, 0) IS DISTINCT FROM t.amount
      OR t.amount IS NOT NULL AND r.funding_account IS DISTINCT FROM t.debit_account
    LIMIT 101
  ),
  unlogged AS (
    SELECT 'I5' AS invariant, NULL::integer AS account_id,
      format('request %s: logged %s, charged %s', slice.request_id, coalesce(l.quota, 0),
        coalesce(c.amount, 0)) AS finding
    FROM slice
    CROSS JOIN LATERAL (
      SELECT sum(CASE type WHEN 2 THEN quota ELSE -quota END) AS quota FROM usage_log
      WHERE request_id = slice.request_id AND type IN (2, 6) AND created_at >= ${logReaches}
    ) l
    CROSS JOIN LATERAL (
      SELECT sum(amount) AS amount FROM (
        SELECT closed_at, settled AS amount FROM billing_requests
        WHERE request_id = slice.request_id AND state = 'settled'
        UNION ALL
        SELECT created_at, CASE WHEN credit_account = -1 THEN amount ELSE -amount END
        FROM transfers
        WHERE request_id = slice.request_id AND kind <> 'settle' AND kind IN ('corr', 'task_final')
      ) charge WHERE closed_at >= ${logReaches}
    ) c
    WHERE coalesce(l.quota, 0) <> coalesce(c.amount, 0)
    LIMIT 101
  )
  SELECT (SELECT count(*) FROM slice)::integer AS rows, invariant, account_id, finding
  FROM (SELECT 1) one LEFT JOIN (TABLE unposted UNION ALL TABLE unlogged) found ON true`

const range = `request_id > $1 AND ($2::text IS NULL OR request_id <= $2)`

/** The same of all within a range, side by side. `$1`: after this request; `$2`: up to this one. Null: without end. */
export const requestsById = `
  WITH request AS MATERIALIZED (
    SELECT request_id, state, settled, funding_account, closed_at FROM billing_requests
    WHERE ${range}
  ),
  logged AS MATERIALIZED (
    SELECT request_id, sum(CASE type WHEN 2 THEN quota ELSE -quota END) AS amount FROM usage_log
    WHERE ${range} AND type IN (2, 6) AND created_at >= ${logReaches} GROUP BY 1
  ),
  later AS MATERIALIZED (
    SELECT request_id, sum(CASE WHEN credit_account = -1 THEN amount ELSE -amount END) AS amount
    FROM transfers WHERE ${range} AND kind <> 'settle' AND kind IN ('corr', 'task_final')
      AND created_at >= ${logReaches} GROUP BY 1
  ),
  unposted AS (
    SELECT 'I4' AS invariant, coalesce(r.funding_account, t.debit_account) AS account_id,
      format('request %s: settled %s from account %s, its transfer says %s from %s', r.request_id,
        r.settled, r.funding_account, t.amount, t.debit_account) AS finding
    FROM request r
    LEFT JOIN transfers t ON t.idem_key = 'settle:' || r.request_id AND t.kind = 'settle'
    WHERE nullif(r.settled, 0) IS DISTINCT FROM t.amount
      OR t.amount IS NOT NULL AND r.funding_account IS DISTINCT FROM t.debit_account
    LIMIT 101
  ),
  unlogged AS (
    SELECT 'I5' AS invariant, NULL::integer AS account_id,
      format('request %s: logged %s, charged %s', request_id, coalesce(l.amount, 0),
        coalesce(c.amount, 0) + coalesce(later.amount, 0)) AS finding
    FROM (SELECT request_id, settled AS amount FROM request
      WHERE state = 'settled' AND closed_at >= ${logReaches}) c
    FULL JOIN logged l USING (request_id) FULL JOIN later USING (request_id)
    WHERE coalesce(l.amount, 0) <> coalesce(c.amount, 0) + coalesce(later.amount, 0)
    LIMIT 101
  )
  SELECT (SELECT count(*) FROM request)::integer AS rows, invariant, account_id, finding
  FROM (SELECT 1) one LEFT JOIN (TABLE unposted UNION ALL TABLE unlogged) found ON true`

/** `$1`: requests by which the next part ends, after the request `$2`. */
export const nextRequest = `
  SELECT request_id AS next FROM billing_requests WHERE request_id > $2
  ORDER BY request_id OFFSET $1::integer - 1 LIMIT 1`

/** `$1`: log rows by which the next part ends, between `$2` and `$3`. Text, since a \`Date\` has no microseconds. */
export const nextMoment = `
  SELECT created_at::text AS next FROM usage_log
  WHERE created_at > $2::timestamptz AND created_at < $3::timestamptz
  ORDER BY created_at OFFSET $1::integer - 1 LIMIT 1`

/**
 * `$1`, `$2`: transfers after the first id, up to the second; `$3`: at most so many. A settlement has the key and the
 * figures of its request (I4); what came later stands in the log (I5), for which the requests are read.
 */
export const transfersById = (sums: string) => `
  WITH slice AS MATERIALIZED (
    SELECT t.id, t.idem_key, t.kind, t.debit_account, t.credit_account, t.amount, t.request_id,
      r.settled, r.funding_account, r.token_id
    FROM (SELECT * FROM transfers WHERE id > $1 AND id <= $2 ORDER BY id LIMIT $3) t
    LEFT JOIN billing_requests r USING (request_id)
  ),
  accounts_moved AS (
    INSERT INTO ${sums} AS s (of_token, id, amount)
    SELECT false, account, sum(amount) FROM (
      SELECT credit_account AS account, amount FROM slice
      UNION ALL SELECT debit_account, -amount FROM slice
    ) side GROUP BY account
    ON CONFLICT (of_token, id) DO UPDATE SET amount = s.amount + excluded.amount
  ),
  tokens_charged AS (
    INSERT INTO ${sums} AS s (of_token, id, amount)
    SELECT true, token_id, sum(CASE WHEN credit_account = -1 THEN amount ELSE -amount END)
    FROM slice WHERE kind IN ('settle', 'corr', 'task_final') AND token_id IS NOT NULL
    GROUP BY token_id
    ON CONFLICT (of_token, id) DO UPDATE SET amount = s.amount + excluded.amount
  ),
  found AS (
    SELECT 'I4' AS invariant, coalesce(funding_account, debit_account) AS account_id,
      format('transfer %s: its request %s settled %s from account %s, it says %s from %s', id,
        request_id, settled, funding_account, amount, debit_account) AS finding
    FROM slice
    WHERE kind = 'settle' AND (settled IS DISTINCT FROM amount
      OR funding_account IS DISTINCT FROM debit_account OR idem_key <> 'settle:' || request_id)
    LIMIT 101
  )
  SELECT (SELECT coalesce(max(id), $2) FROM slice) AS upto, invariant, account_id, finding
  FROM (SELECT 1) one LEFT JOIN found ON true`

/** What all transfers come to: those summed in the tables, and those after the id, which are few. */
export function sumsOf(tables: readonly string[], after: bigint) {
  const kept = (ofToken: boolean) =>
    tables
      .map((table) => `SELECT id, amount FROM ${table} WHERE of_token = ${ofToken} UNION ALL`)
      .join(' ')
  return {
    balances: `
      SELECT id AS account, sum(amount) AS amount FROM (
        ${kept(false)}
        SELECT credit_account, amount FROM transfers WHERE id > ${after}
        UNION ALL SELECT debit_account, -amount FROM transfers WHERE id > ${after}
      ) part GROUP BY id`,
    tokenCosts: `
      SELECT id AS token_id, sum(amount) AS amount FROM (
        ${kept(true)}
        SELECT r.token_id, CASE WHEN t.credit_account = -1 THEN t.amount ELSE -t.amount END
        FROM transfers t JOIN billing_requests r USING (request_id)
        WHERE t.id > ${after} AND t.kind IN ('settle', 'corr', 'task_final')
          AND r.token_id IS NOT NULL
      ) part (id, amount) GROUP BY id`,
  }
}
