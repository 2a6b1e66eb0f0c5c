/**
 * Tells people what happens to their accounts: a sign-in from elsewhere, another password, address or factor, a key that
 * was made. It hears of all of it from the audit log, so that no area has to remember to tell. Several of one kind within
 * ten minutes are told once; nobody opts out of anything but sign-ins.
 */
import type { Kit } from '../../../kernel/contract/service-kit.js'
import type { AuditEntry } from '../../../kernel/contract/services/ports.js'
import { type AccountEvent, eventOf, isSignIn } from './events.js'
import { signInPlaces } from './sign-in-places.js'
import { noticeOf } from './texts.js'

const windowMs = 600_000

/** Nothing is asked of it: it listens. */
export type AccountNotices = Readonly<Record<string, never>>

export default function create({
  services,
  clock,
}: Kit<'database' | 'secrets' | 'audit' | 'notifications'>): AccountNotices {
  const { database, secrets, audit, notifications } = services
  const { knex } = database
  const places = signInPlaces({ knex, clock, key: secrets.derive('sign-in places') })

  async function heard(entry: AuditEntry): Promise<void> {
    const event = eventOf(entry)
    if (event !== undefined) await tell(event)
    const userId = isSignIn(entry)
    if (userId === undefined || !(await places.isNew(userId, entry.address))) return
    if (await wantsSignIns(userId)) await tell({ kind: 'new_sign_in', userId, at: entry.address })
  }

  async function tell(event: AccountEvent): Promise<void> {
    const { kind, userId, formerAddress } = event
    const notice = noticeOf(event)
    const key = `account:${kind}:${Math.floor(clock.now() / windowMs)}`
    if (await isReachable(userId)) await notifications.notify(userId, notice, key)
    // Whoever took an account over has changed the address first: the one before hears of it too.
    if (formerAddress && notifications.mailReady()) await notifications.mail(formerAddress, notice)
  }

  /** A notice that cannot arrive would only stand among the failed ones; the audit log has it in any case. */
  async function isReachable(userId: number): Promise<boolean> {
    const { values } = await notifications.settingOf(userId)
    const { notify_type: name, notification_email: address } = values
    const way = (await notifications.ways()).find((one) => one.name === name)
    if (way?.ready !== true) return false
    if (name !== 'email' || address) return true
    const row = await knex('users').where('id', userId).first('email')
    return Boolean(row?.email)
  }

  async function wantsSignIns(userId: number): Promise<boolean> {
    const row = await knex('users').where('id', userId).first('setting')
    return row?.setting?.sign_in_notices !== false
  }

  audit.watch(heard)
  return {}
}

declare module '../../../kernel/contract/service.js' {
  interface Services {
    'account-notices': AccountNotices
  }
}
