/**
 * The invariants of money (ledger/README.md section 11): what each demands, and the query that finds what breaks it. Those that
 * need the whole book are run over its tables, or over sums that were made of it before (decision 34).
 */

export interface Invariant {
  /** As section 11 of the README beside numbers it. */
  readonly id: string
  readonly name: string
  /** What has to hold, in a sentence. */
  readonly rule: string
  /** Returns `account_id` (or null) and `finding` of each breach. */
  readonly sql: string
}

/**
 * How far back the usage log reaches when an admin has trimmed it: what is older is not compared
 * (I5).
 */
export const logReaches = `coalesce(
  (SELECT value::timestamptz FROM facts WHERE name = 'usage_log.trimmed_before'), '-infinity')`

/** What requests cost beyond their first close. */
const laterCharges = `
  SELECT request_id, created_at, CASE WHEN credit_account = -1 THEN amount
    ELSE -amount END AS amount
  FROM transfers WHERE kind IN ('corr', 'task_final')`

/** What the transfers of all time come to. */
export interface Sums {
  /** Query of `account` and `amount`: credits less debits. */
  readonly balances: string
  /** Query of `token_id` and `amount`: what its requests cost. */
  readonly tokenCosts: string
}

const ofTables: Sums = {
  balances: `
  SELECT account, sum(amount) AS amount FROM (
    SELECT credit_account AS account, amount FROM transfers
    UNION ALL SELECT debit_account, -amount FROM transfers
  ) side GROUP BY account`,
  tokenCosts: `
  SELECT token_id, sum(amount) AS amount FROM (
    SELECT token_id, settled AS amount FROM billing_requests WHERE state = 'settled'
    UNION ALL SELECT r.token_id, c.amount FROM (${laterCharges}) c JOIN billing_requests r
      USING (request_id)
  ) charge GROUP BY 1`,
}

/** Of accounts and what they hold. */
const ofAccounts = ({ balances }: Sums): readonly Invariant[] => [
  {
    id: 'I1',
    name: 'Balances follow transfers',
    rule: 'What an account shows is the sum of what was credited to it, less what was debited.',
    sql: `
    SELECT a.id AS account_id,
      format('account %s: posted %s, transfers say %s', a.id, a.posted,
        coalesce(b.amount, 0)) AS finding
    FROM accounts a LEFT JOIN (${balances}) b ON b.account = a.id
    WHERE a.id > 0 AND a.posted <> coalesce(b.amount, 0)`,
  },
  {
    id: 'I2',
    name: 'Holds follow open requests',
    rule: 'What an account, a token or its budget has set aside is the sum over its open requests.',
    sql: `
    SELECT a.id AS account_id,
      format('account %s: held %s, open requests say %s', a.id, a.held,
        coalesce(o.reserved, 0)) AS finding
    FROM accounts a LEFT JOIN (
      SELECT funding_account, sum(reserved) AS reserved FROM billing_requests
        WHERE state = 'reserved' GROUP BY 1
    ) o ON o.funding_account = a.id
    WHERE a.held <> coalesce(o.reserved, 0)
    UNION ALL
    SELECT NULL,
      format('token %s: held %s, open requests say %s', t.id, t.held, coalesce(o.reserved, 0))
    FROM tokens t LEFT JOIN (
      SELECT token_id, sum(reserved) AS reserved FROM billing_requests
        WHERE state = 'reserved' GROUP BY 1
    ) o ON o.token_id = t.id
    WHERE t.held <> coalesce(o.reserved, 0)
    UNION ALL
    SELECT NULL,
      format('budget of token %s from %s: held %s, open requests say %s', b.token_id, b.starts_at,
        b.held, coalesce(o.reserved, 0))
    FROM token_budgets b LEFT JOIN (
      SELECT token_id, budget_from, sum(reserved) AS reserved FROM billing_requests
        WHERE state = 'reserved' AND budget_from IS NOT NULL GROUP BY 1, 2
    ) o ON o.token_id = b.token_id AND o.budget_from = b.starts_at
    WHERE b.held <> coalesce(o.reserved, 0)`,
  },
]

/** Of requests, their transfers and the usage log. */
const ofRequests = ({ balances, tokenCosts }: Sums): readonly Invariant[] => [
  {
    id: 'I3',
    name: 'The whole book is in balance',
    rule: 'All accounts together, those of the gateway included, stand at zero.',
    sql: `
    SELECT NULL::integer AS account_id,
      format('all accounts together stand at %s, not 0', total) AS finding
    FROM (SELECT
      (SELECT coalesce(sum(posted), 0) FROM accounts WHERE id > 0)
      + (SELECT coalesce(sum(amount), 0) FROM (${balances}) b WHERE b.account < 0) AS total) s
    WHERE total <> 0
    UNION ALL
    SELECT NULL,
      format('transfers name the account %s, which does not exist', b.account)
    FROM (${balances}) b LEFT JOIN accounts a ON a.id = b.account WHERE a.id IS NULL`,
  },
  {
    id: 'I4',
    name: 'Each charge has one transfer',
    rule: 'A settled request has exactly one transfer, of the same amount from the same account.',
    sql: `
    SELECT coalesce(r.funding_account, t.debit_account) AS account_id,
      format('request %s: settled %s from account %s, its transfer says %s from %s',
      request_id, r.settled, r.funding_account, t.amount, t.debit_account) AS finding
    FROM (SELECT request_id, settled, funding_account FROM billing_requests WHERE settled > 0) r
    FULL JOIN (SELECT request_id, amount, debit_account FROM transfers
      WHERE kind = 'settle') t USING (request_id)
    WHERE r.settled IS DISTINCT FROM t.amount OR r.funding_account IS DISTINCT
      FROM t.debit_account`,
  },
  {
    id: 'I5',
    name: 'The usage log says what was charged',
    rule: 'Rows of the log add up to what each request cost.',
    sql: `
    SELECT NULL::integer AS account_id,
      format('request %s: logged %s, charged %s', request_id, coalesce(l.quota, 0),
        coalesce(c.amount, 0)) AS finding
    FROM (
      SELECT request_id, sum(CASE type WHEN 2 THEN quota ELSE -quota END) AS quota FROM usage_log
      WHERE type IN (2, 6) AND created_at >= ${logReaches} GROUP BY 1
    ) l
    FULL JOIN (
      SELECT request_id, sum(amount) AS amount FROM (
        SELECT request_id, closed_at, settled AS amount FROM billing_requests
          WHERE state = 'settled'
        UNION ALL ${laterCharges}
      ) charge WHERE closed_at >= ${logReaches} GROUP BY 1
    ) c USING (request_id)
    WHERE coalesce(l.quota, 0) <> coalesce(c.amount, 0)`,
  },
  {
    id: 'I6',
    name: 'Tokens count what they used',
    rule: 'What a token used is the sum over its requests.',
    sql: `
    SELECT NULL::integer AS account_id,
      format('token %s: used %s, its requests say %s', t.id, t.used,
        coalesce(u.amount, 0)) AS finding
    FROM tokens t LEFT JOIN (${tokenCosts}) u ON u.token_id = t.id
    WHERE t.used <> coalesce(u.amount, 0)`,
  },
]

/** Of holds nobody owns, payments, and debts. */
const ofMovements: readonly Invariant[] = [
  {
    id: 'I7',
    name: 'No hold outlives its owner',
    rule: 'No request stays open once the process that served it is gone.',
    sql: `
    SELECT r.funding_account AS account_id,
      format('request %s: still held, its owner %s is gone', r.request_id,
        r.owner_instance) AS finding
    FROM billing_requests r LEFT JOIN instances i ON i.id = r.owner_instance
    WHERE r.state = 'reserved' AND r.kind <> 'task'
      AND r.created_at < now() - interval '90 seconds' AND (
      i.id IS NULL
      OR r.owner_epoch < i.epoch AND i.started_at < now() - interval '90 seconds'
      OR coalesce(i.stopped_at, i.last_seen) < now() - interval '90 seconds')`,
  },
  {
    id: 'I12',
    name: 'Every hold is worked on',
    rule: 'No request stays open that its own process, though alive, has stopped working on.',
    sql: `
    SELECT r.funding_account AS account_id,
      format('request %s: held since %s, and its owner %s does not work on it', r.request_id,
        r.created_at, r.owner_instance) AS finding
    FROM billing_requests r
    WHERE r.state = 'reserved' AND r.abandoned_at < now() - interval '15 seconds'
    UNION ALL
    SELECT NULL,
      format('instance %s: holds %s requests open and has not compared them since %s', i.id,
        count(*), i.holds_compared_at)
    FROM billing_requests r JOIN instances i ON i.id = r.owner_instance AND i.epoch = r.owner_epoch
    WHERE r.state = 'reserved' AND r.kind <> 'task'
      AND r.created_at < now() - interval '90 seconds'
      AND i.holds_compared_at < now() - interval '90 seconds'
      AND i.stopped_at IS NULL AND i.last_seen > now() - interval '30 seconds'
    GROUP BY i.id`,
  },
  {
    id: 'I8',
    name: 'Paid orders are credited once',
    rule: 'A paid order has one transfer of its credit, less what was taken back; another order has none.',
    sql: `
    SELECT a.id AS account_id,
      format('order %s is %s: credit %s, transfers say %s', o.order_no, o.state,
        CASE WHEN o.completed_at IS NULL THEN 0 ELSE o.quota - o.returned END,
        coalesce(t.amount, 0) - coalesce(b.amount, 0)) AS finding
    FROM payment_orders o
    LEFT JOIN accounts a ON a.kind = 'wallet' AND a.owner_id = o.user_id AND a.period_key = ''
    LEFT JOIN transfers t ON t.idem_key = 'topup:' || o.order_no AND t.credit_account = a.id
    LEFT JOIN LATERAL (
      SELECT sum(CASE WHEN c.debit_account = a.id THEN c.amount ELSE -c.amount END) AS amount
      FROM transfers c WHERE c.idem_key IN (
        SELECT 'chargeback:' || o.order_no || ':' || n FROM generate_series(1, o.returns) n)
    ) b ON true
    WHERE coalesce(t.amount, 0) <> CASE WHEN o.completed_at IS NULL THEN 0 ELSE o.quota END
      OR coalesce(b.amount, 0) <> o.returned`,
  },
  {
    id: 'I9',
    name: 'Tasks and their money agree',
    rule: 'A task that has ended has nothing set aside and cost what was charged and corrected; no task has money set aside without a row.',
    sql: `
    SELECT r.funding_account AS account_id,
      format('task %s has ended: cost %s, charges and corrections say %s; its request is %s', t.task_id,
        coalesce(t.cost, 0), coalesce(r.settled, 0) + coalesce(m.amount, 0), r.state) AS finding
    FROM tasks t
    JOIN LATERAL (SELECT b.state, b.settled, b.funding_account, b.created_at FROM billing_requests b
      WHERE b.request_id = t.request_id OFFSET 0) r ON true
    LEFT JOIN LATERAL (SELECT sum(CASE WHEN c.credit_account = -1 THEN c.amount ELSE -c.amount END) AS amount
      FROM transfers c WHERE c.idem_key IN ('task_final:' || t.task_id, 'corr:' || t.request_id)) m ON true
    WHERE t.billing = 'final' AND CASE r.state
      WHEN 'reserved' THEN r.created_at < now() - interval '90 seconds'
        AND t.updated_at < now() - interval '90 seconds'
      ELSE coalesce(t.cost, 0) <> coalesce(r.settled, 0) + coalesce(m.amount, 0) END
    UNION ALL
    SELECT r.funding_account,
      format('request %s: money is set aside for a task that has no row', r.request_id)
    FROM billing_requests r LEFT JOIN tasks t ON t.request_id = r.request_id
    WHERE r.state = 'reserved' AND r.kind = 'task' AND t.id IS NULL`,
  },
  {
    id: 'I10',
    name: 'Debt has a reason',
    rule: "No account stands below its floor without a shortfall, a correction, the end of a task or an admin's entry.",
    sql: `
    SELECT a.id AS account_id,
      format('account %s: %s is below its floor of %s and nothing says why', a.id,
        a.posted - a.held, a.floor) AS finding
    FROM accounts a
    WHERE a.id > 0 AND a.posted - a.held < CASE a.kind
        WHEN 'subscription_period' THEN least(a.floor, 0) ELSE a.floor END
      AND NOT EXISTS (SELECT FROM billing_requests r WHERE r.funding_account = a.id
        AND r.shortfall > 0)
      AND NOT EXISTS (SELECT FROM transfers t WHERE t.debit_account = a.id
        AND t.kind IN ('corr', 'chargeback', 'admin', 'task_final'))`,
  },
  {
    id: 'I11',
    name: 'Rewards follow invitations',
    rule: 'Rewards a user has left are those of their invitations, less those moved to the wallet.',
    sql: `
    SELECT w.id AS account_id,
      format('user %s: rewards left %s, earned %s, invitations say %s, moved %s', u.id, u.aff_quota,
        u.aff_history, coalesce(e.earned, 0), coalesce(m.moved, 0)) AS finding
    FROM users u
    LEFT JOIN accounts w ON w.kind = 'wallet' AND w.owner_id = u.id AND w.period_key = ''
    LEFT JOIN (
      SELECT inviter_id, sum(reward) AS earned FROM invitations GROUP BY 1
    ) e ON e.inviter_id = u.id
    LEFT JOIN (
      SELECT credit_account, sum(amount) AS moved FROM transfers
      WHERE kind = 'invite' AND idem_key LIKE 'invite:transfer:%' GROUP BY 1
    ) m ON m.credit_account = w.id
    WHERE u.aff_history <> coalesce(e.earned, 0)
      OR u.aff_quota <> coalesce(e.earned, 0) - coalesce(m.moved, 0)`,
  },
  {
    id: 'I13',
    name: 'Periods are granted and closed once',
    rule: 'The account of a period was credited its grant; once it is closed, what was left went back and it stands at zero but for later corrections.',
    sql: `
    SELECT p.account_id,
      format('period %s of subscription %s: granted %s, transfers say %s; returned %s, transfers say %s',
        p.number, p.subscription_id, p.granted, g.amount, p.returned,
        CASE WHEN e.debit_account = p.account_id THEN e.amount ELSE -e.amount END) AS finding
    FROM subscription_periods p
    LEFT JOIN transfers g ON g.idem_key = 'sub_grant:' || p.subscription_id || ':' || p.number
      AND g.credit_account = p.account_id
    LEFT JOIN transfers e ON e.idem_key = 'sub_expire:' || p.subscription_id || ':' || p.number
      AND p.account_id IN (e.debit_account, e.credit_account)
    JOIN accounts a ON a.id = p.account_id
    WHERE coalesce(p.granted, 0) <> coalesce(g.amount, 0)
      OR coalesce(p.returned, 0) <> coalesce(
        CASE WHEN e.debit_account = p.account_id THEN e.amount ELSE -e.amount END, 0)
      OR p.closed_at IS NOT NULL AND a.posted <> 0 AND NOT EXISTS (SELECT FROM transfers t
        WHERE t.kind IN ('corr', 'task_final')
        AND p.account_id IN (t.debit_account, t.credit_account))`,
  },
]

/** Reads the requests of every budget: run where the whole book is. */
const ofBudgets: Invariant = {
  id: 'I14',
  name: 'Budgets count their period',
  rule: 'What a period of a budget has used is the sum over the requests that were begun in it.',
  sql: `
    SELECT NULL::integer AS account_id,
      format('budget of token %s from %s: used %s, its requests say %s', b.token_id, b.starts_at,
        b.used, c.amount) AS finding
    FROM token_budgets b CROSS JOIN LATERAL (
      SELECT coalesce(sum(coalesce(r.settled, 0) + coalesce(l.amount, 0)), 0) AS amount
      FROM billing_requests r
      LEFT JOIN LATERAL (SELECT sum(CASE WHEN t.credit_account = -1 THEN t.amount ELSE -t.amount END) AS amount
        FROM transfers t
        WHERE t.request_id = r.request_id AND t.kind <> 'settle' AND t.kind IN ('corr', 'task_final')
      ) l ON true
      WHERE r.token_id = b.token_id AND r.budget_from = b.starts_at
    ) c
    WHERE b.used <> c.amount`,
}

export function invariantsOver(sums: Sums): readonly Invariant[] {
  return [...ofAccounts(sums), ...ofRequests(sums), ...ofMovements, ofBudgets]
}

export const invariants = invariantsOver(ofTables)
