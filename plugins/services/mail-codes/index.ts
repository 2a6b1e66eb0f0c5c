/**
 * Codes sent by mail, which show that an address is somebody's. One per address and purpose, kept as an HMAC, since six
 * digits could be found again from a plain hash.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Knex } from 'knex'
import type { Kit, Life } from '../../../kernel/contract/kit.js'
import { Refusal } from '../../../kernel/errors.js'
import { mailAddress } from '../../../kernel/http/mail-address.js'
import type { MailCodes, MailPurpose } from './mail-codes.js'
import { type Gateway, purposes } from './purposes.js'

export type * from './mail-codes.js'

const againMs = 60_000
const sweepMs = 600_000
const codeLengthMax = 64

export default function create({
  services,
  clock,
  log,
}: Kit<'database' | 'secrets' | 'schedule' | 'options' | 'notifications'>): MailCodes & Life {
  const { secrets, schedule, options, notifications } = services
  const { knex } = services.database
  let key: Buffer | undefined
  let job: { stop(): void } | undefined

  async function send(given: string, purpose: MailPurpose): Promise<void> {
    const email = addressed(given)
    const { seconds, draw, notice } = purposes[purpose]
    const code = draw()
    const now = clock.now()
    const row = {
      email,
      purpose,
      code_hash: hashOf(email, purpose, code),
      attempts: 0,
      created_at: new Date(now),
      expires_at: new Date(now + seconds * 1000),
    }
    await knex.transaction(async (trx) => {
      await keep(row, trx)
      await notifications.mail(email, notice(code, email, gateway(purpose)), trx)
    })
  }

  /** In place of an older one, which must have been there for a while. */
  async function keep(row: CodeRow, trx: Knex.Transaction): Promise<void> {
    const kept = await trx('mail_codes')
      .insert(row)
      .onConflict(['email', 'purpose'])
      .merge()
      .where('mail_codes.created_at', '<=', new Date(clock.now() - againMs))
      .returning('email')
    if (kept.length > 0) return
    const { email, purpose } = row
    const before = await trx('mail_codes').where({ email, purpose }).first('created_at')
    const since = clock.now() - (before?.created_at.getTime() ?? clock.now())
    const seconds = Math.max(1, Math.ceil((againMs - since) / 1000))
    throw new Refusal(
      'rate_limit_exceeded',
      { seconds },
      { headers: { 'retry-after': String(seconds) } },
    )
  }

  /** A try is counted before the code is looked at; of many who bring the right one, one has it. */
  async function use(given: string, purpose: MailPurpose, code: string): Promise<void> {
    const email = mailAddress(given)
    if (email === undefined || code.length > codeLengthMax) throw invalid()
    const hash = hashOf(email, purpose, code.trim())
    const { triesMax } = purposes[purpose]
    if (triesMax !== undefined) await countTry(email, purpose, triesMax, hash)
    const used = await live(email, purpose).where({ code_hash: hash }).delete()
    if (used === 0) throw invalid()
  }

  async function countTry(email: string, purpose: MailPurpose, most: number, hash: Buffer) {
    const [row] = await live(email, purpose)
      .where('attempts', '<', most)
      .update({ attempts: knex.raw('attempts + 1') })
      .returning<Pick<CodeRow, 'code_hash'>[]>('code_hash')
    if (row === undefined || !timingSafeEqual(row.code_hash, hash)) throw invalid()
  }

  function live(email: string, purpose: MailPurpose) {
    return knex('mail_codes')
      .where({ email, purpose })
      .where('expires_at', '>', new Date(clock.now()))
  }

  function hashOf(email: string, purpose: MailPurpose, code: string): Buffer {
    key ??= secrets.derive('mail codes')
    return createHmac('sha256', key)
      .update(JSON.stringify([purpose, email, code]))
      .digest()
  }

  /** A link must not lead where a request says, so only what an admin set counts. */
  function gateway(purpose: MailPurpose): Gateway {
    const stored = new Map(options.list().map((option) => [option.key, option.value]))
    const name = stored.get('SystemName') || 'Gateway'
    const address = stored.get('ServerAddress') ?? ''
    if (purpose === 'reset' && address === '') {
      log.warn({}, 'a link sent by mail has no host: the option ServerAddress is empty')
    }
    return { name, address }
  }

  return {
    send,
    use,
    start() {
      job = schedule.everyLeased('mail-codes.sweep', sweepMs, async () => {
        await knex('mail_codes').where('expires_at', '<=', new Date(clock.now())).delete()
      })
    },
    stop: () => job?.stop(),
  }
}

interface CodeRow {
  readonly email: string
  readonly purpose: MailPurpose
  readonly code_hash: Buffer
  readonly attempts: number
  readonly created_at: Date
  readonly expires_at: Date
}

function addressed(email: string): string {
  const address = mailAddress(email)
  if (address !== undefined) return address
  throw new Refusal('invalid_field', { reason: 'This is no mail address.', param: 'email' })
}

function invalid(): Refusal {
  return new Refusal('mail_code_invalid')
}
