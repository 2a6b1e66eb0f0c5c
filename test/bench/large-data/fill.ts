/**
 * A large installation by set-based SQL: users, API keys, a year of the usage log, the book, the audit log, payments, tasks
 * and codes. What is used is skewed as it is in life: few users, keys and channels are most of the log.
 */
import { hash } from 'node:crypto'
import pg from 'pg'
import { masterKey } from '../../../kernel/store/master-key.js'
import { createSeals } from '../../../kernel/store/secret-box.js'

export interface Size {
  readonly users: number
  readonly tokens: number
  readonly channels: number
  readonly rows: number
  readonly models: number
  readonly groups: number
  readonly days: number
}

export const sizeOf = (rows: number): Size => ({
  ...{ users: 100_000, tokens: 1_000_000, channels: 10_000 },
  ...{ rows, models: 200, groups: 40, days: 365 },
})

/** Rows of one statement. */
const sliceRows = 500_000
const codesAll = 500_000
const codesOfStatement = 20_000

export interface Filling {
  readonly url: string
  readonly size: Size
  /** The gateway's CRYPTO_SECRET. */
  readonly secret: string
  readonly say: (text: string) => void
}

export async function fill({ url, size, secret, say }: Filling): Promise<void> {
  const client = new pg.Client({ connectionString: url, options: '-c synchronous_commit=off' })
  await client.connect()
  const step = async (what: string, statements: readonly string[]) => {
    const begun = performance.now()
    for (const text of statements) await client.query(text)
    say(`${what} in ${((performance.now() - begun) / 1000).toFixed(1)} s`)
  }
  try {
    await step('users, API keys', [users(size), wallets, tokens(size)])
    const indexes = await secondaryIndexes(client)
    await step('usage log', [...indexes.map(({ name }) => `DROP INDEX ${name}`), ...log(size)])
    await step(
      'indexes of the usage log',
      indexes.map(({ text }) => text),
    )
    await step('book', [transfers(size), holds])
    await step('audit log', [audit(size)])
    await step('payments, tasks', [orders(size), tasks(size)])
    await codes(client, size, secret)
    await step('channels', [channels])
  } finally {
    await client.end()
  }
}

async function secondaryIndexes(client: pg.Client) {
  const { rows } = await client.query<{ name: string; text: string }>(
    `SELECT indexname AS name, indexdef AS text FROM pg_indexes
     WHERE tablename = 'usage_log' AND indexname <> 'usage_log_pkey'`,
  )
  return rows
}

const users = ({ users: many, groups, days }: Size) => `
  INSERT INTO users (username, password_hash, display_name, email, "group", created_at, last_login_at)
  SELECT 'user' || n, '', 'Person ' || md5(n::text), 'user' || n || '@example.com',
    'group' || n % ${groups}, now() - interval '${days} days' * (1 - n / ${many}.0),
    CASE WHEN n % 3 > 0 THEN now() - interval '${days} days' * random() END
  FROM generate_series(1, ${many}) n`

const wallets = `
  INSERT INTO accounts (kind, owner_id, posted, used, requests)
  SELECT 'wallet', id, (random() * 1e8)::bigint, (random() * 1e8)::bigint, (random() * 1000)::bigint
  FROM users WHERE username LIKE 'user%'`

/** Names are often the same; one user has a thousand keys. */
const tokens = ({ tokens: many, users: people }: Size) => `
  INSERT INTO tokens (user_id, name, key_hash, key_sealed, key_tail, created_at)
  SELECT u.id,
    CASE n % 5 WHEN 0 THEN 'default' WHEN 1 THEN 'laptop' ELSE 'key ' || md5(n::text) END,
    sha256(convert_to('bench' || n, 'UTF8')), '', right('bench' || n, 4), now()
  FROM generate_series(1, ${many}) n
  JOIN users u ON u.username = 'user' || CASE WHEN n <= 1000 THEN 7 ELSE 1 + n % ${people} END`

/** Three models of a channel, one group and a few keys of a user. In the order of time. */
function log({ rows, users: people, channels, models, groups, days }: Size): readonly string[] {
  const slices = Math.ceil(rows / sliceRows)
  return Array.from({ length: slices }, (_, at) => {
    const [first, last] = [at * sliceRows + 1, Math.min((at + 1) * sliceRows, rows)]
    return `
  INSERT INTO usage_log (request_id, created_at, type, user_id, username, token_id, token_name,
    channel_id, channel_name, model_name, upstream_model, group_name, quota, prompt_tokens,
    completion_tokens, use_time_ms, is_stream, ip, detail)
  SELECT 'req_' || upper(lpad(to_hex(n), 26, '0')),
    now() - interval '2 minutes' - interval '${days} days' * (1 - n / ${rows}.0),
    CASE WHEN kind < 940 THEN 2 WHEN kind < 980 THEN 5 WHEN kind < 990 THEN 6 ELSE 1 END,
    person + 1, 'user' || person, person * 10 + key,
    CASE key WHEN 0 THEN 'default' WHEN 1 THEN 'laptop' ELSE 'key ' || md5((person * 10 + key)::text) END,
    channel, 'channel ' || channel,
    CASE WHEN model < 10 THEN (ARRAY['gpt_4%', 'gpt%4_', 'back\\slash', '100%', '_', '%', 'a_b', 'a%b', '%%', '__'])[model + 1]
      ELSE 'vendor' || model % 7 || '/model-' || model END,
    'up-' || model, 'group' || person % ${groups}, (random() * 100000)::integer, (random() * 5000)::integer,
    (random() * 2000)::integer, (random() * 60000)::integer, model % 2 = 0, '198.51.100.7',
    '{"frt": 700, "is_model_mapped": true, "request_path": "/v1/chat/completions"}'
  FROM (
    SELECT n, kind, person, channel, (channel * 7 + pick) % ${models} AS model,
      floor(power(random(), 2) * least(10, 2 + person % 10))::integer AS key
    FROM (
      SELECT n, floor(random() * 1000) AS kind, 1 + floor(power(random(), 3) * ${people})::integer AS person,
        1 + floor(power(random(), 3) * ${channels})::integer AS channel, floor(random() * 3)::integer AS pick
      FROM generate_series(${first}, ${last}) n
    ) drawn
  ) row`
  })
}

/** A tenth of the charges stands in the book, with a top-up for each user. */
const transfers = ({ rows, users: people }: Size) => `
  INSERT INTO transfers (idem_key, kind, debit_account, credit_account, amount, request_id, created_at)
  SELECT 'settle:' || request_id, 'settle', user_id, -1, quota, request_id, created_at
  FROM usage_log WHERE type = 2 AND request_id >= 'req_' || upper(lpad(to_hex(${Math.floor(rows * 0.9)}), 26, '0'))
  UNION ALL
  SELECT 'topup:' || n, 'topup', CASE WHEN n % 3 = 0 THEN -2 ELSE -4 END, 10 + n, 100000, 'top-' || n, now()
  FROM generate_series(1, ${people}) n`

const holds = `
  INSERT INTO billing_requests (request_id, kind, user_id, funding_account, state, revision, reserved,
    settled, outcome, owner_instance, owner_epoch, closed_at)
  SELECT request_id, 'sync', user_id, user_id, 'settled', 1, quota, quota, 'completed', 'bench', 0, created_at
  FROM usage_log WHERE type = 2 ORDER BY created_at DESC LIMIT 500000`

const audit = ({ users: people, days }: Size) => `
  INSERT INTO audit_log (created_at, actor_id, actor_name, actor_role, via, address, action, object, detail,
    request_id, hash)
  SELECT now() - interval '${days} days' * (1 - n / 1e6), who, 'user' || who,
    CASE WHEN n % 10 < 7 THEN 100 WHEN n % 10 = 7 THEN 10 ELSE 1 END, 'session', '198.51.100.7',
    (ARRAY['management.users.update', 'management.channels.update', 'management.session.login', 'management.tokens.create'])[1 + n % 4],
    'user ' || n % ${people}, '', 'req_audit_' || n, sha256(n::text::bytea)
  FROM (SELECT n, CASE WHEN n % 10 < 7 THEN 1 ELSE 1 + n % ${people} END AS who FROM generate_series(1, 1000000) n) row`

const orders = ({ users: people, days }: Size) => `
  INSERT INTO payment_orders (order_no, user_id, gateway, amount_minor, currency, quota, price, is_test, state,
    paid_minor, created_at, expires_at, completed_at)
  SELECT 'order' || lpad(n::text, 20, '0'), 2 + n % (${people} - 2), (ARRAY['stripe', 'epay', 'creem'])[1 + n % 3], 1000,
    'USD', 500000, '{}', false, (CASE WHEN n % 10 < 8 THEN 'paid' ELSE 'expired' END)::payment_state,
    CASE WHEN n % 10 < 8 THEN 1000 END, at, at + interval '1 hour', CASE WHEN n % 10 < 8 THEN at END
  FROM (SELECT n, now() - interval '${days} days' * (1 - n / 500000.0) AS at FROM generate_series(1, 500000) n) row`

const tasks = ({ users: people, channels, days }: Size) => `
  INSERT INTO tasks (task_id, request_id, user_id, group_name, operation, action, platform, model, channel_id, state,
    billing, finished_at, created_at)
  SELECT 'task_' || upper(lpad(to_hex(n), 26, '0')), 'req_T' || upper(lpad(to_hex(n), 25, '0')), 2 + n % (${people} - 2), 'group1',
    (ARRAY['video', 'suno', 'midjourney'])[1 + n % 3], 'generate', 'task.video', 'video-' || n % 20, 1 + n % ${channels},
    (CASE WHEN n % 10 = 0 THEN 'failed' ELSE 'succeeded' END)::task_state, 'final', at, at
  FROM (SELECT n, now() - interval '${days} days' * (1 - n / 500000.0) AS at FROM generate_series(1, 500000) n) row`

/** They were made by the API, with keys. */
const channels = `
  UPDATE channels SET name = 'channel ' || id, priority = id % 5, response_ms = id % 3000,
    tag = CASE WHEN id % 3 = 0 THEN 'tag ' || id % 100 ELSE '' END,
    models = ARRAY['vendor' || (id * 7) % 200 % 7 || '/model-' || (id * 7) % 200, 'vendor' || (id * 7 + 1) % 200 % 7 || '/model-' || (id * 7 + 1) % 200]
  WHERE NOT 'gpt-4o-mini' = ANY (models)`

/** Codes are opened where they are listed, so theirs are sealed as the gateway seals them. */
async function codes(client: pg.Client, { days }: Size, secret: string): Promise<void> {
  const { key } = await masterKey({ cryptoSecret: secret, dataDir: '' }, false)
  const { seal } = createSeals(key)
  for (let first = 0; first < codesAll; first += codesOfStatement) {
    const made = Array.from({ length: codesOfStatement }, (_, at) => {
      const code = String(first + at).padStart(32, '0')
      const hashed = hash('sha256', code, 'buffer')
      return { hashed, sealed: seal(`redemption_codes:${hashed.toString('hex')}:code`, code) }
    })
    await client.query(
      `INSERT INTO redemption_codes (batch, creator_id, code_hash, code_sealed, name, quota, is_on, uses_max, uses,
         created_at, expires_at)
       SELECT 'batch ' || n / 100, 1, hashed, sealed, 'campaign ' || n / 1000, 500000, n % 10 > 0,
         1, n % 2, at, CASE WHEN n % 3 = 0 THEN at + interval '90 days' END
       FROM (
         SELECT $1 + nth AS n, hashed, sealed,
           now() - interval '${days} days' * (1 - ($1 + nth) / ${codesAll}.0) AS at
         FROM unnest($2::bytea[], $3::text[]) WITH ORDINALITY AS code (hashed, sealed, nth)
       ) row`,
      [first, made.map(({ hashed }) => hashed), made.map(({ sealed }) => sealed)],
    )
  }
}
