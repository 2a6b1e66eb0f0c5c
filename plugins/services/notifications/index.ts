/**
 * Notices: written in the transaction of their event, delivered from an outbox afterwards, at least once, by the way their user
 * chose (API-9, AUTH-10, LIMIT-8).
 */
import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import type { Life } from '../../../kernel/contract/kit.js'
import type { Notifier } from '../../../kernel/contract/notifier.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { notifyOfSwitches, switchTopic } from './channel-switches.js'
import { Delivery } from './delivery.js'
import { createLowBalance } from './low-balance.js'
import type { NewNotice, Notifications, Way, WriteReport } from './notifications.js'
import { type Claimed, createOutbox, type NewRow, outboxTopic, reportType } from './outbox.js'
import { createCarriers, nameOfWay, personOf, refused } from './people.js'
import { createRows } from './rows.js'
import { createSealing } from './seal-plain.js'
import { createUserSettings } from './user-setting.js'

export type * from './notifications.js'

const pollMs = 5_000
const balanceMs = 60_000
const trimMs = 3_600_000
const sealMs = 3_600_000
const rootRole = 100

type NotificationsKit = Kit<'database' | 'changes' | 'secrets' | 'schedule' | 'extensions'>

export default function create(kit: NotificationsKit): Notifications & Life {
  const { services, settings, clock, log } = kit
  const { changes, secrets, schedule, extensions } = services
  const { knex } = services.database
  const jobs: { stop(): void }[] = []
  let mail: Notifier | undefined

  const limit = () => ({
    count: settings.number('limit_count'),
    minutes: settings.number('limit_minutes'),
  })
  const mailReady = () => mail !== undefined && mail.ready?.() !== false
  const thresholdDefault = () => settings.number('remind_threshold')

  const outbox = createOutbox({ knex, changes, secrets, clock, limit })
  const carriers = createCarriers(extensions, secrets)
  const rows = createRows(knex, changes, clock)
  const userSettings = createUserSettings({ knex, secrets, extensions, thresholdDefault })
  const sealPlain = createSealing({ knex, secrets, extensions })
  const lowBalance = createLowBalance({
    ...{ knex, thresholdDefault },
    tell: (userId, notice, trx) => outbox.put({ userId, notice }, trx),
  })
  let writeReport: WriteReport | undefined
  const notices = new Delivery({
    ...{ outbox, lane: 'notices', clock, log },
    async carry(row) {
      const { address = '', notice } = outbox.open(row)
      if (row.userId === undefined) return carriers.toAddress(address, notice)
      return carriers.toPerson(await personOf(knex, row.userId), notice)
    },
  })
  const reports = new Delivery({ ...{ outbox, lane: 'reports', clock, log }, carry: carryReport })

  async function carryReport(row: Claimed) {
    const { address = '', subject = '', notice } = outbox.open(row)
    const { title: event, timestamp } = notice
    const body = await writeReport?.({ event, subject, timestamp })
    if (body === undefined) return refused('What was to be reported is gone.')
    const person = await personOf(knex, row.userId!)
    return carriers.toReceiver(person, address, { ...notice, body })
  }

  function wake(): void {
    notices.wake()
    reports.wake()
  }

  async function put(row: NewRow, trx?: Knex.Transaction): Promise<void> {
    if (trx === undefined) await knex.transaction((own) => outbox.put(row, own))
    else await outbox.put(row, trx)
  }

  async function notifyRoot(notice: NewNotice, key?: string, trx?: Knex.Transaction) {
    const root = await (trx ?? knex)('users')
      .select('id')
      .where({ role: rootRole })
      .whereNull('deleted_at')
      .first()
    if (root !== undefined) await put({ userId: root.id, notice, key }, trx)
  }

  async function ways(): Promise<readonly Way[]> {
    const found = extensions.list('notifier').map(async (manifest) => {
      const notifier = await extensions.notifier(nameOfWay(manifest)).catch(() => undefined)
      const ready = notifier !== undefined && notifier.ready?.() !== false
      const { title, userSettings: fields, translations } = manifest
      return { name: nameOfWay(manifest), title, ready, fields, translations }
    })
    return Promise.all(found)
  }

  changes.on(outboxTopic, wake)
  changes.on(switchTopic, (switches) => notifyOfSwitches(knex, switches, notifyRoot))

  return {
    async mail(address, notice, trx) {
      if (!mailReady()) throw new Refusal('mail_unavailable')
      await put({ address, notice }, trx)
    },
    notify: (userId, notice, key, trx) => put({ userId, notice, key }, trx),
    notifyRoot,
    report(userId, { address, event, subject, key }, trx) {
      const notice = { type: reportType, title: event, content: '', values: [] }
      return put({ userId, address, notice, subject, key }, trx)
    },
    reporter(write) {
      writeReport = write
    },
    mailReady,
    ways,
    settingOf: userSettings.read,
    changeSetting: userSettings.change,
    async test(userId) {
      const timestamp = Math.floor(clock.now() / 1000)
      return carriers.toPerson(await personOf(knex, userId), {
        ...testNotice,
        id: randomUUID(),
        timestamp,
      })
    },
    page: rows.page,
    retry: rows.retry,
    watchBalances: lowBalance.run,
    async start() {
      mail = await extensions.notifier('email').catch(() => undefined)
      const sealing = schedule.everyLeased('notifications.seal', sealMs, sealPlain)
      void sealing.now()
      jobs.push(
        sealing,
        schedule.every('notifications.poll', pollMs, wake),
        schedule.everyLeased('notifications.balances', balanceMs, lowBalance.run),
        schedule.everyLeased('notifications.trim', trimMs, rows.trim),
      )
      wake()
    },
    async stop() {
      for (const job of jobs) job.stop()
      await Promise.all([notices.stop(), reports.stop()])
    },
  }
}

const testNotice: NewNotice = {
  type: 'test',
  title: 'A test notice',
  content: 'This is a test. Notices reach you this way.',
  values: [],
}
