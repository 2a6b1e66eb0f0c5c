/**
 * API keys in memory: a hit is synchronous, the misses of one turn are read in one query, and a row that changed is
 * dropped. What is stale here for a moment cannot spend: the reserve checks token and owner again (kernel/README.md section 6).
 */
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../kernel/contract/kit.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import { Refusal, type RefusalCode } from '../../../kernel/toolkit/errors/index.js'
import type { RateLimits } from '../rate-limits/index.js'
import { admit, type Entry, entryOf, type KeyRow } from './entry.js'
import type { Identified, Identity } from './identity.js'
import type { KeyText } from './key-text.js'

const knownMax = 50_000
const unknownMax = 10_000
const unknownMs = 10_000

const rowsOfKeys = `
  SELECT encode(t.key_hash, 'hex') AS hash, t.id AS token_id, t.name AS token_name, t.status AS token_status,
         t."group" AS token_group, t.cross_group_retry, t.routing,
         t.model_limits_enabled, t.model_limits, t.allow_ips, t.expires_at,
         u.id AS user_id, u.username, u.role, u.status AS user_status, u."group" AS user_group,
         u.deleted_at IS NOT NULL AS user_deleted, a.id AS wallet_id
  FROM tokens t
  JOIN users u ON u.id = t.user_id
  JOIN accounts a ON a.kind = 'wallet' AND a.owner_id = u.id
  WHERE t.deleted_at IS NULL`
const lookUp = `${rowsOfKeys} AND t.key_hash = ANY ($1::bytea[])`
const lookUpOne = `${rowsOfKeys} AND t.id = $1`

export interface KeyCache {
  /** Throws, or rejects with, a `Refusal`. */
  find(key: KeyText, address: string): Identified | Promise<Identified>
  readonly refusalOf: Identity['refusalOf']
  dropTokens(ids: ReadonlySet<string>): void
  dropUsers(ids: ReadonlySet<string>): void
}

interface Miss {
  readonly hash: string
  answer(entry: Entry | undefined): void
  fail(error: Error): void
}

/** A look for a key that is not in memory: who makes too many that find nothing is refused (`RateLimits.guess`). */
type Guess = RateLimits['guess']

const unbounded: Guess = (_, look) => look()

export function keyCache(database: Database, clock: Clock, guess: Guess = unbounded): KeyCache {
  const byToken = new Map<number, Entry>()
  const byUser = new Map<number, Set<Entry>>()
  const known = new LRUCache<string, Entry>({ max: knownMax, dispose: unlink })
  /** Hash → when to ask again, on the growing clock. */
  const unknown = new LRUCache<string, number>({ max: unknownMax })
  const loading = new Map<string, Promise<Entry | undefined>>()
  let misses: Miss[] = []
  /** Counts drops: what was read before one and arrives after it is not kept. */
  let generation = 0

  function find({ hash, pinned }: KeyText, address: string): Identified | Promise<Identified> {
    const entry = known.get(hash)
    if (entry !== undefined) return withPin(admit(entry, address, clock.now()), pinned)
    return guess(address, async () => (isUnknown(hash) ? undefined : load(hash))).then((loaded) => {
      if (loaded === undefined) throw new Refusal('invalid_api_key')
      return withPin(admit(loaded, address, clock.now()), pinned)
    })
  }

  function isUnknown(hash: string): boolean {
    const until = unknown.get(hash)
    return until !== undefined && until > clock.monotonic()
  }

  async function refusalOf(tokenId: number): Promise<RefusalCode | undefined> {
    const statement = { name: 'identity_token', text: lookUpOne, values: [tokenId] }
    const row: KeyRow | undefined = (await database.query(statement)).rows[0]
    if (row === undefined) return 'invalid_api_key'
    const { refusal, expiresAt } = entryOf(row)
    return refusal ?? (expiresAt <= clock.now() ? 'token_expired' : undefined)
  }

  function load(hash: string): Promise<Entry | undefined> {
    const running = loading.get(hash)
    if (running !== undefined) return running
    const loaded = new Promise<Entry | undefined>((answer, fail) => {
      if (misses.length === 0) setImmediate(readMisses)
      misses.push({ hash, answer, fail })
    }).finally(() => {
      if (loading.get(hash) === loaded) loading.delete(hash)
    })
    loading.set(hash, loaded)
    return loaded
  }

  async function readMisses(): Promise<void> {
    const wanted = misses
    const readFrom = generation
    misses = []
    try {
      const hashes = wanted.map((miss) => Buffer.from(miss.hash, 'hex'))
      const statement = { name: 'identity_keys', text: lookUp, values: [hashes] }
      const { rows } = await database.query(statement)
      const found = new Map(rows.map((row) => [row.hash, entryOf(row)]))
      for (const miss of wanted) {
        const entry = found.get(miss.hash)
        if (readFrom === generation) keep(miss.hash, entry)
        miss.answer(entry)
      }
    } catch (cause) {
      const refusal = new Refusal('database_unavailable', {}, { cause })
      for (const miss of wanted) miss.fail(refusal)
    }
  }

  function keep(hash: string, entry: Entry | undefined): void {
    if (entry === undefined) {
      unknown.set(hash, clock.monotonic() + unknownMs)
      return
    }
    known.set(hash, entry)
    const { token, user } = entry.identified
    byToken.set(token.id, entry)
    const siblings = byUser.get(user.id)
    if (siblings === undefined) byUser.set(user.id, new Set([entry]))
    else siblings.add(entry)
  }

  function unlink(entry: Entry): void {
    const { token, user } = entry.identified
    if (byToken.get(token.id) === entry) byToken.delete(token.id)
    const siblings = byUser.get(user.id)
    siblings?.delete(entry)
    if (siblings?.size === 0) byUser.delete(user.id)
  }

  function dropTokens(ids: ReadonlySet<string>): void {
    dropped()
    unknown.clear()
    for (const id of ids) drop(byToken.get(Number(id)))
  }

  function dropUsers(ids: ReadonlySet<string>): void {
    dropped()
    for (const id of ids) for (const entry of [...(byUser.get(Number(id)) ?? [])]) drop(entry)
  }

  function drop(entry: Entry | undefined): void {
    if (entry !== undefined) known.delete(entry.hash)
  }

  /** Reads from now on start anew, even where a read is under way. */
  function dropped(): void {
    generation++
    loading.clear()
  }

  return { find, refusalOf, dropTokens, dropUsers }
}

/** Who a key stands for is kept once, whatever channels it is used with. */
function withPin(identified: Identified, pinned: number | undefined): Identified {
  if (pinned === undefined) return identified
  const { user, token } = identified
  return { user, token, pinned }
}
