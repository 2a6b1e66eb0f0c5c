/**
 * When and from where each access token was used last: remembered in memory and written once a minute, so that no answer
 * waits for it. What a process that is killed had not written is lost, a minute of it at most.
 */
import type { Clock } from '../../../kernel/contract/kit.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import type { Schedule } from '../../../kernel/contract/services/schedule.js'

const writeMs = 60_000
/** Remembered while the database does not reply; a further one is written when it is used again. */
const usesMax = 10_000

const write = `
  UPDATE access_tokens t SET last_used_at = u.used_at, last_used_address = u.address
  FROM (SELECT id, to_timestamp(seconds) AS used_at, address
        FROM unnest($1::integer[], $2::double precision[], $3::text[]) AS n (id, seconds, address)) u
  WHERE t.id = u.id AND (t.last_used_at IS NULL OR t.last_used_at < u.used_at)`

export interface AccessTokenUses {
  note(id: number, address: string): void
  start(): void
  stop(): Promise<void>
}

export interface AccessTokenUsesDependencies {
  readonly database: Database
  readonly schedule: Schedule
  readonly clock: Clock
}

interface Use {
  /** Unix seconds. */
  readonly seconds: number
  readonly address: string
}

export function accessTokenUses({
  database,
  schedule,
  clock,
}: AccessTokenUsesDependencies): AccessTokenUses {
  let uses = new Map<number, Use>()
  let job: ReturnType<Schedule['every']> | undefined

  function note(id: number, address: string): void {
    if (uses.size >= usesMax && !uses.has(id)) return
    uses.set(id, { seconds: Math.floor(clock.now() / 1000), address })
  }

  async function flush(): Promise<void> {
    if (uses.size === 0) return
    const batch = uses
    uses = new Map()
    const reported = [...batch.values()]
    try {
      await database.query({
        name: 'identity_access_token_uses',
        text: write,
        values: [
          [...batch.keys()],
          reported.map(({ seconds }) => seconds),
          reported.map(({ address }) => address),
        ],
      })
    } catch (error) {
      uses = new Map([...batch, ...uses])
      throw error
    }
  }

  return {
    note,
    start() {
      job = schedule.every('identity.access-token-uses', writeMs, flush)
    },
    async stop() {
      await job?.now()
      job?.stop()
    },
  }
}
