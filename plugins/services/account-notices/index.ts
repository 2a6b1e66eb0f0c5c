/**
 * Tells people what happens to their accounts: a sign-in from elsewhere, another password, address or factor, a key that
 * was made. It learns of all of it from the audit log, so that no area has to remember to report. Several of one kind within
 * ten minutes make one notice; nobody opts out of anything but sign-ins. Owners read the same as a list, in which everything
 * stands, sent or not.
 */
import type { Life } from '../../../kernel/contract/kit.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import type { AuditEntry } from '../../../kernel/contract/services/ports.js'
import { chosenLanguage, type NoticeLanguage } from '../../../kernel/toolkit/notifier/index.js'
import type { AccountNotices } from './account-notices.js'
import { type AccountEvent, type EventKind, eventOf, isSignIn } from './events.js'
import { FailedCounts } from './failed-counts.js'
import { securityEvents } from './security-events.js'
import { signInPlaces } from './sign-in-places.js'
import { noticeOf } from './texts.js'

export type * from './account-notices.js'

const windowMs = 600_000
const failedMs = 60_000
const trimMs = 3_600_000

/** What of an account decides how its notices are written and sent. */
interface Owner {
  readonly email: string
  readonly setting: { readonly language?: unknown; readonly sign_in_notices?: unknown } | null
}

type NoticesKit = Kit<'database' | 'schedule' | 'secrets' | 'audit' | 'notifications'>

export default function create(kit: NoticesKit): AccountNotices & Life {
  const { services, settings, clock } = kit
  const { database, schedule, secrets, audit, notifications } = services
  const { knex } = database
  const places = signInPlaces({ knex, clock, key: secrets.derive('sign-in places') })
  const keptDays = () => settings.number('eventDays')
  const events = securityEvents({ knex, clock, keptDays })
  const failed = new FailedCounts()
  let jobs: readonly { stop(): void }[] = []

  async function heard(entry: AuditEntry): Promise<void> {
    const event = eventOf(entry)
    if (event !== undefined) {
      const owner = await ownerOf(event.userId)
      await happened(event, owner, await isReachable(event.userId, owner))
    }
    const userId = isSignIn(entry)
    if (userId === undefined || !(await places.isNew(userId, entry.address))) return
    const owner = await ownerOf(userId)
    const isWanted = owner?.setting?.sign_in_notices !== false
    const isSent = isWanted && (await isReachable(userId, owner))
    await happened({ kind: 'new_sign_in', userId, at: entry.address }, owner, isSent)
  }

  /** The event and its notice are one transaction: neither stands without the other. */
  async function happened(
    event: AccountEvent<EventKind>,
    owner: Owner | undefined,
    isSent: boolean,
  ): Promise<void> {
    const { kind, userId, formerAddress } = event
    const notice = noticeOf(event, languageFor(owner))
    const key = `account:${kind}:${Math.floor(clock.now() / windowMs)}`
    await knex.transaction(async (trx) => {
      await events.put(event, trx)
      if (isSent) await notifications.notify(userId, notice, key, trx)
      // Whoever took an account over has changed the address first: the one before is notified too.
      if (formerAddress && notifications.mailReady()) {
        await notifications.mail(formerAddress, notice, trx)
      }
    })
  }

  async function writeFailures(): Promise<void> {
    for (const failures of failed.taken()) await events.putFailures(failures)
  }

  /** A notice that cannot arrive would only stand among the failed ones; the audit log has it in any case. */
  async function isReachable(userId: number, owner: Owner | undefined): Promise<boolean> {
    const { values } = await notifications.settingOf(userId)
    const { notify_type: name, notification_email: address } = values
    const way = (await notifications.ways()).find((one) => one.name === name)
    if (way?.ready !== true) return false
    return name !== 'email' || Boolean(address) || Boolean(owner?.email)
  }

  async function ownerOf(userId: number): Promise<Owner | undefined> {
    return knex('users').where('id', userId).first('email', 'setting')
  }

  function languageFor(owner: Owner | undefined): NoticeLanguage {
    return (
      chosenLanguage(owner?.setting?.language) ??
      chosenLanguage(settings.string('language')) ??
      'en'
    )
  }

  audit.watch(heard)
  audit.watchRefused((entry) => failed.add(entry))
  return {
    page: events.page,
    start() {
      jobs = [
        schedule.every('security events of failures', failedMs, writeFailures),
        schedule.everyLeased('security events that are old', trimMs, events.trim),
      ]
    },
    async stop() {
      for (const job of jobs) job.stop()
      await writeFailures()
    },
  }
}
