/**
 * API keys in memory: a hit is synchronous, the misses of one turn are read in one query, and a row that changed is
 * dropped. What is stale here for a moment cannot spend: the reserve checks token and owner again (kernel/README.md section 6).
 */
import type { Clock } from '../../../kernel/contract/kit.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { RateLimits } from '../rate-limits/index.js'
import { admit } from './entry.js'
import type { Identified, Identity } from './identity.js'
import { KeyReads } from './key-reads.js'
import type { KeyText } from './key-text.js'
import { KnownKeys } from './known-keys.js'

export interface KeyCache {
  /** Throws, or rejects with, a `Refusal`. */
  find(key: KeyText, address: string): Identified | Promise<Identified>
  readonly refusalOf: Identity['refusalOf']
  dropTokens(ids: ReadonlySet<string>): void
  dropUsers(ids: ReadonlySet<string>): void
}

/** A look for a key that is not in memory: who makes too many that find nothing is refused (`RateLimits.guess`). */
type Guess = RateLimits['guess']

const unbounded: Guess = (_, look) => look()

export function keyCache(database: Database, clock: Clock, guess: Guess = unbounded): KeyCache {
  const known = new KnownKeys(clock)
  const reads = new KeyReads(database, known)

  function find({ hash, pinned }: KeyText, address: string): Identified | Promise<Identified> {
    const entry = known.get(hash)
    if (entry !== undefined) return withPin(admit(entry, address, clock.now()), pinned)
    const look = async () => (known.isUnknown(hash) ? undefined : reads.load(hash))
    return guess(address, look).then((loaded) => {
      if (loaded === undefined) throw new Refusal('invalid_api_key')
      return withPin(admit(loaded, address, clock.now()), pinned)
    })
  }

  return {
    find,
    async refusalOf(tokenId) {
      const entry = await reads.byToken(tokenId)
      if (entry === undefined) return 'invalid_api_key'
      return entry.refusal ?? (entry.expiresAt <= clock.now() ? 'token_expired' : undefined)
    },
    dropTokens(ids) {
      reads.startAnew()
      known.dropTokens(ids)
    },
    dropUsers(ids) {
      reads.startAnew()
      known.dropUsers(ids)
    },
  }
}

/** Who a key stands for is kept once, whatever channels it is used with. */
function withPin(identified: Identified, pinned: number | undefined): Identified {
  if (pinned === undefined) return identified
  const { user, token } = identified
  return { user, token, pinned }
}
