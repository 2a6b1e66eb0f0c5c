/**
 * Codes sent by mail, which show that an address is somebody's. One per address and purpose, made from a key and the
 * moment it was requested, so that it can be sent again without being kept; its HMAC alone is. Whoever requests or guesses
 * beside the owner spoils nothing: another request sends the same code, and a wrong one uses nothing up.
 */
import { createHmac } from 'node:crypto'
import type { Knex } from 'knex'
import type { Life } from '../../../../kernel/contract/kit.js'
import type { Kit } from '../../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../../kernel/toolkit/errors/index.js'
import { mailAddress } from '../../../../kernel/toolkit/management/index.js'
import { chosenLanguage, type NoticeLanguage } from '../../../../kernel/toolkit/notifier/index.js'
import type { MailCodes, MailPurpose } from './mail-codes.js'
import { type Gateway, purposes } from './purposes.js'

export type * from './mail-codes.js'

const againMs = 60_000
/** Mails with one code. */
const mailsMax = 3
const sweepMs = 600_000
const codeLengthMax = 64

export type MailCodesKit = Pick<
  Kit<'database' | 'secrets' | 'schedule' | 'options' | 'notifications'>,
  'services' | 'clock' | 'log'
>

export function createMailCodes(kit: MailCodesKit): MailCodes & Required<Life> {
  const { clock, log, services } = kit
  const { schedule, options } = services
  const { knex } = services.database
  const codes = new StoredCodes(kit)
  let job: { stop(): void } | undefined
  return {
    async send(given, purpose, language) {
      const gateway = () => gatewayOf({ options, log }, purpose, language)
      await codes.send(addressed(given), purpose, gateway)
    },
    use: (email, purpose, code) => codes.use(email, purpose, code),
    start() {
      job = schedule.everyLeased('mail-codes.sweep', sweepMs, async () => {
        await knex('mail_codes').where('expires_at', '<=', new Date(clock.now())).delete()
      })
    },
    stop: () => job?.stop(),
  }
}

class StoredCodes {
  private key: Buffer | undefined
  private codeKey: Buffer | undefined

  constructor(private readonly kit: MailCodesKit) {}

  async send(email: string, purpose: MailPurpose, gateway: () => Gateway): Promise<void> {
    const { clock, services } = this.kit
    const { seconds, notice } = purposes[purpose]
    const now = clock.now()
    const row = {
      email,
      purpose,
      code_hash: this.hashOf(email, purpose, this.codeOf(email, purpose, now)),
      created_at: new Date(now),
      sent_at: new Date(now),
      expires_at: new Date(now + seconds * 1000),
      mails: 1,
    }
    await services.database.knex.transaction(async (trx) => {
      const kept = await keep(row, trx)
      if (kept === undefined) return
      const code = this.codeOf(email, purpose, kept.created_at.getTime())
      const minutes = Math.max(1, Math.floor((kept.expires_at.getTime() - now) / 60_000))
      await services.notifications.mail(email, notice({ code, email, minutes }, gateway()), trx)
    })
  }

  /** Of many who bring the right one, one has it. */
  async use(given: string, purpose: MailPurpose, code: string): Promise<void> {
    const email = mailAddress(given)
    if (email === undefined || code.length > codeLengthMax) throw invalid()
    const { clock, services } = this.kit
    const code_hash = this.hashOf(email, purpose, purposes[purpose].plain(code))
    const used = await services.database
      .knex('mail_codes')
      .where({ email, purpose, code_hash })
      .where('expires_at', '>', new Date(clock.now()))
      .delete()
    if (used === 0) throw invalid()
  }

  /** @param at Unix milliseconds of the request that made it */
  private codeOf(email: string, purpose: MailPurpose, at: number): string {
    this.codeKey ??= this.kit.services.secrets.derive('mail codes: drawn')
    const drawn = createHmac('sha256', this.codeKey)
      .update(JSON.stringify([purpose, email, at]))
      .digest()
    return purposes[purpose].written(drawn)
  }

  private hashOf(email: string, purpose: MailPurpose, code: string): Buffer {
    this.key ??= this.kit.services.secrets.derive('mail codes')
    return createHmac('sha256', this.key)
      .update(JSON.stringify([purpose, email, code]))
      .digest()
  }
}

/** The code that is to be mailed now: this one, or one that is still valid. Undefined: its mail is there already. */
async function keep(row: CodeRow, trx: Knex.Transaction): Promise<CodeRow | undefined> {
  const now = row.sent_at
  const valid = 'mail_codes.expires_at > ?'
  const unlessValid = (column: string) =>
    trx.raw(`CASE WHEN ${valid} THEN mail_codes.?? ELSE excluded.?? END`, [now, column, column])
  const [kept] = await trx<CodeRow>('mail_codes')
    .insert(row)
    .onConflict(['email', 'purpose'])
    .merge({
      code_hash: unlessValid('code_hash'),
      created_at: unlessValid('created_at'),
      expires_at: unlessValid('expires_at'),
      mails: trx.raw(`CASE WHEN ${valid} THEN mail_codes.mails + 1 ELSE 1 END`, [now]),
      sent_at: now,
    } as object)
    .where((older) => {
      older.where('mail_codes.expires_at', '<=', now).orWhere((again) => {
        again
          .where('mail_codes.mails', '<', mailsMax)
          .where('mail_codes.sent_at', '<=', new Date(now.getTime() - againMs))
      })
    })
    .returning('*')
  return kept as CodeRow | undefined
}

/** A link must not lead where a request names, so only what an admin set counts. */
function gatewayOf(
  { options, log }: Pick<MailCodesKit['services'], 'options'> & Pick<MailCodesKit, 'log'>,
  purpose: MailPurpose,
  language: NoticeLanguage | undefined,
): Gateway {
  const stored = new Map(options.list().map((option) => [option.key, option.value]))
  const name = stored.get('SystemName') || 'Gateway'
  const address = stored.get('ServerAddress') ?? ''
  if (purpose === 'reset' && address === '') {
    log.warn({}, 'a link sent by mail has no host: the option ServerAddress is empty')
  }
  return {
    name,
    address,
    language: language ?? chosenLanguage(stored.get('NoticeLanguage')) ?? 'en',
  }
}

interface CodeRow {
  readonly email: string
  readonly purpose: MailPurpose
  readonly code_hash: Buffer
  readonly mails: number
  readonly created_at: Date
  readonly sent_at: Date
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
