/** Asking for mails: how many an address gets and a caller may have sent, and who is known is nobody's to find out. */
import type { Log } from '../../../kernel/contract/kit.js'
import type { ManagementRequest } from '../../../kernel/contract/management.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import {
  acceptedLanguage,
  chosenLanguage,
  type NoticeLanguage,
} from '../../../kernel/toolkit/notifier/index.js'
import type { Challenge } from '../../services/challenge/index.js'
import type { Guesses } from '../../services/guesses/index.js'
import type { Notifications } from '../../services/notifications/index.js'
import type { RateLimits } from '../../services/rate-limits/index.js'
import type { Registration } from '../../services/registration/index.js'
import type { MailRequest } from './forms.js'
import type { MailCodes } from './mail-codes/index.js'

/** Mails to one address in an hour, before each further request owes a proof of work. */
const perAddress = { name: 'mail', free: 5 } as const
const perCaller = { name: 'mail-caller', limit: 10, windowSeconds: 1800 } as const

export interface MailDependencies {
  readonly database: Database
  readonly registration: Registration
  readonly codes: MailCodes
  readonly notifications: Pick<Notifications, 'mailReady'>
  readonly challenge: Challenge
  readonly 'rate-limits': Pick<RateLimits, 'take' | 'networkOf'>
  readonly guesses: Pick<Guesses, 'slowly'>
}

export interface Mails {
  sendCode(request: ManagementRequest<MailRequest>): Promise<null>
  sendReset(request: ManagementRequest<MailRequest>): Promise<null>
  /** Resolves once every mail requested so far is written or has failed. */
  settled(): Promise<void>
}

export function mails(dependencies: MailDependencies, log: Log): Mails {
  const { database, registration, notifications, challenge, guesses, codes } = dependencies
  const limits = dependencies['rate-limits']
  const sending = new Set<Promise<void>>()

  async function admit(request: ManagementRequest<MailRequest>): Promise<string> {
    const { email } = request.query
    await limits.take(perCaller, limits.networkOf(request.address))
    await challenge.require(request)
    if (!notifications.mailReady()) throw new Refusal('mail_unavailable')
    if (challenge.siteKey() === undefined) await guesses.slowly(request, perAddress, email)
    return email
  }

  async function sendCode(request: ManagementRequest<MailRequest>): Promise<null> {
    registration.checkEmail(request.query.email)
    const language = acceptedLanguage(request.headers['accept-language'])
    await codes.send(await admit(request), 'verification', language)
    return null
  }

  /** What the address has to do with anybody is looked up after the answer, so that its time reveals nothing. */
  async function sendReset(request: ManagementRequest<MailRequest>): Promise<null> {
    const email = await admit(request)
    const sent: Promise<void> = new Promise((resolve) => setImmediate(resolve))
      .then(() => resetIfKnown(email, acceptedLanguage(request.headers['accept-language'])))
      .catch((err) => {
        if (!(err instanceof Refusal)) log.error({ err }, 'a mail to reset a password failed')
      })
      .finally(() => sending.delete(sent))
    sending.add(sent)
    return null
  }

  /** In the language the account chose, else in that of the browser. */
  async function resetIfKnown(email: string, accepted?: NoticeLanguage): Promise<void> {
    const owner = await ownerOf(email, database)
    if (owner === undefined) return
    await codes.send(email, 'reset', chosenLanguage(owner.setting?.language) ?? accepted)
  }

  return {
    sendCode,
    sendReset,
    async settled() {
      await Promise.all(sending)
    },
  }
}

export interface AddressOwner {
  readonly id: number
  readonly username: string
  readonly role: number
  readonly setting: { readonly language?: unknown } | null
}

/** Who has shown that the address is theirs, and may sign in. */
export async function ownerOf(
  email: string,
  { knex }: Pick<Database, 'knex'>,
): Promise<AddressOwner | undefined> {
  return knex('users')
    .select('id', 'username', 'role', 'setting')
    .whereRaw("lower(email) = lower(?) AND email <> ''", [email])
    .where({ email_verified: true, status: 1 })
    .whereNull('deleted_at')
    .first()
}
