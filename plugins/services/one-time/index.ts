/** Secrets that count once: 256 random bits, kept as their SHA-256, what they stand for sealed beside it. */
import { hash, randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Life } from '../../../kernel/contract/kit.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import type { OneTime, OneTimeOptions, OneTimeTaken } from './one-time.js'

export type * from './one-time.js'

const shape = /^[A-Za-z0-9_-]{43}$/
const sweepMs = 600_000

interface Row {
  readonly user_id: number | null
  readonly session_id: Buffer | null
  readonly data: string
}

export default function create({
  services,
  clock,
}: Kit<'database' | 'secrets' | 'schedule'>): OneTime & Life {
  const { secrets, schedule } = services
  const { knex } = services.database
  let job: { stop(): void } | undefined

  const now = () => new Date(clock.now())

  async function issue(options: OneTimeOptions, trx?: Knex.Transaction): Promise<string> {
    const secret = randomBytes(32).toString('base64url')
    const key = hash('sha256', secret, 'buffer')
    const { kind, userId, sessionId, data = {}, seconds } = options
    await (trx ?? knex)('one_time').insert({
      hash: key,
      kind,
      user_id: userId ?? null,
      session_id: sessionId === undefined ? null : Buffer.from(sessionId, 'hex'),
      data: secrets.seal(placeOf(key), JSON.stringify(data)),
      created_at: now(),
      expires_at: new Date(clock.now() + seconds * 1000),
    })
    return secret
  }

  async function take(kind: string, secret: string, trx?: Knex.Transaction) {
    if (!shape.test(secret)) return undefined
    const key = hash('sha256', secret, 'buffer')
    const [row] = await (trx ?? knex)('one_time')
      .where({ hash: key, kind })
      .where('expires_at', '>', now())
      .delete()
      .returning<Row[]>(['user_id', 'session_id', 'data'])
    return row && taken(key, row)
  }

  async function attempt(kind: string, secret: string, attemptsMax: number) {
    if (!shape.test(secret)) return undefined
    const key = hash('sha256', secret, 'buffer')
    const [row] = await knex('one_time')
      .where({ hash: key, kind })
      .where('expires_at', '>', now())
      .where('attempts', '<', attemptsMax)
      .update({ attempts: knex.raw('attempts + 1') })
      .returning<Row[]>(['user_id', 'session_id', 'data'])
    return row && taken(key, row)
  }

  function taken(key: Buffer, row: Row): OneTimeTaken {
    const data: JsonObject = JSON.parse(secrets.openText(placeOf(key), row.data))
    return {
      data,
      userId: row.user_id ?? undefined,
      sessionId: row.session_id?.toString('hex'),
    }
  }

  return {
    issue,
    take,
    attempt,
    start() {
      job = schedule.everyLeased('one-time.sweep', sweepMs, async () => {
        await knex('one_time').where('expires_at', '<=', now()).delete()
      })
    },
    stop: () => job?.stop(),
  }
}

function placeOf(key: Buffer): string {
  return `one_time:${key.toString('hex')}:data`
}
