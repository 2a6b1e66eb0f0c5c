/** Reads keys from the database: all that are missed in one turn in one query, and each only once at a time. */
import type { Database } from '../../../kernel/contract/services/database.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { type Entry, entryOf, type KeyRow } from './entry.js'
import type { KnownKeys } from './known-keys.js'

const rowsOfKeys = `
  SELECT encode(t.key_hash, 'hex') AS hash, t.id AS token_id, t.name AS token_name, t.status AS token_status,
         t."group" AS token_group, t.cross_group_retry, t.routing,
         t.model_limits_enabled, t.model_limits, t.allow_ips, t.expires_at,
         t.budget_quota, t.budget_period, t.rpm_limit, t.tpm_limit,
         t.record_level, t.record_until,
         u.id AS user_id, u.username, u.role, u.status AS user_status, u."group" AS user_group,
         u.deleted_at IS NOT NULL AS user_deleted, a.id AS wallet_id
  FROM tokens t
  JOIN users u ON u.id = t.user_id
  JOIN accounts a ON a.kind = 'wallet' AND a.owner_id = u.id
  WHERE t.deleted_at IS NULL`
const lookUp = `${rowsOfKeys} AND t.key_hash = ANY ($1::bytea[])`
const lookUpOne = `${rowsOfKeys} AND t.id = $1`

interface Miss {
  readonly hash: string
  resolve(entry: Entry | undefined): void
  reject(error: Error): void
}

export class KeyReads {
  private readonly running = new Map<string, Promise<Entry | undefined>>()
  private misses: Miss[] = []
  /** Counts changes: what was read before one and arrives after it is not kept. */
  private generation = 0

  constructor(
    private readonly database: Database,
    private readonly known: Pick<KnownKeys, 'keep'>,
  ) {}

  /** Undefined: nobody has this key. Rejects with a `Refusal` where the database cannot be queried. */
  load(hash: string): Promise<Entry | undefined> {
    const running = this.running.get(hash)
    if (running !== undefined) return running
    const loaded = new Promise<Entry | undefined>((resolve, reject) => {
      if (this.misses.length === 0) setImmediate(() => this.readMisses())
      this.misses.push({ hash, resolve, reject })
    }).finally(() => {
      if (this.running.get(hash) === loaded) this.running.delete(hash)
    })
    this.running.set(hash, loaded)
    return loaded
  }

  async byToken(tokenId: number): Promise<Entry | undefined> {
    const statement = { name: 'identity_token', text: lookUpOne, values: [tokenId] }
    const row: KeyRow | undefined = (await this.database.query(statement)).rows[0]
    return row === undefined ? undefined : entryOf(row)
  }

  /** Reads from now on start anew, even where a read is under way. */
  startAnew(): void {
    this.generation++
    this.running.clear()
  }

  private async readMisses(): Promise<void> {
    const wanted = this.misses
    const readFrom = this.generation
    this.misses = []
    try {
      const hashes = wanted.map((miss) => Buffer.from(miss.hash, 'hex'))
      const statement = { name: 'identity_keys', text: lookUp, values: [hashes] }
      const { rows } = await this.database.query(statement)
      const found = new Map(rows.map((row) => [row.hash, entryOf(row)]))
      for (const miss of wanted) {
        const entry = found.get(miss.hash)
        if (readFrom === this.generation) this.known.keep(miss.hash, entry)
        miss.resolve(entry)
      }
    } catch (cause) {
      const refusal = new Refusal('database_unavailable', {}, { cause })
      for (const miss of wanted) miss.reject(refusal)
    }
  }
}
