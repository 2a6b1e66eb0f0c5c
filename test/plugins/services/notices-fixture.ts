/** Several processes' worth of the notifications service over one database, with notifiers that do as the test states. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Test } from 'tap'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Life } from '../../../kernel/contract/kit.js'
import type { Manifest } from '../../../kernel/contract/manifest.js'
import type { Notice, NoticeOutcome, Notifier } from '../../../kernel/contract/notifier.js'
import type { Extensions } from '../../../kernel/contract/services/extensions.js'
import type { Schedule } from '../../../kernel/contract/services/schedule.js'
import { readManifest } from '../../../kernel/registry/manifest.js'
import createNotifications, {
  type NewNotice,
  type Notifications,
} from '../../../plugins/services/notifications/index.js'
import {
  type ManagementFixture,
  managementFixture,
  settingsOf,
} from '../management/management-fixture.js'

interface Sent {
  readonly way: string
  readonly notice: Notice
  readonly target: JsonObject
}

type Play = (sent: Sent) => NoticeOutcome | Promise<NoticeOutcome>

export interface Process {
  readonly notifications: Notifications & Life
  /** Runs a timed job now. */
  job(name: string): Promise<void>
}

export interface NoticesFixture {
  readonly fixture: ManagementFixture
  readonly sent: Sent[]
  /** What the notifiers do from now on. */
  play(next: Play): void
  /** One more, until the end of the test. */
  process(t: Pick<Test, 'teardown'>, settings?: JsonObject): Promise<Process>
  /** Forgets what was before. */
  clear(): Promise<void>
  rows(): Promise<readonly Row[]>
  /** Resolves once no row waits for its turn now. */
  quiet(process: Process): Promise<void>
}

interface Row {
  readonly id: bigint
  readonly unique_key: string | null
  readonly user_id: number | null
  readonly type: string
  readonly payload: string
  readonly state: string
  readonly attempts: number
  readonly next_at: Date
  readonly reason: string
}

export const low: NewNotice = {
  type: 'quota_exceed',
  title: 'Low',
  content: 'canary-content {{value}}',
  values: ['900'],
}

const plain = (name: string, userSettings: readonly object[]): Manifest =>
  readManifest(
    JSON.stringify({
      ...{
        id: `notifier.${name}`,
        kind: 'notifier',
        engines: { waybill: '^1.0' },
        version: '1.0.0',
      },
      ...{ title: name, entry: './index.js', userSettings },
    }),
    'manifest.json',
  )

const manifests: readonly Manifest[] = [
  plain('email', [{ name: 'notification_email', type: 'string', default: '', title: 'Address' }]),
  plain('webhook', [
    { name: 'webhook_url', type: 'string', default: '', title: 'Address' },
    { name: 'webhook_secret', type: 'secret', title: 'Secret' },
  ]),
]

const faults: Readonly<Record<string, Notifier['faultOf']>> = {
  email: ({ notification_email }) =>
    notification_email === '' ? 'notification_email must be set.' : undefined,
  webhook({ webhook_url }) {
    if (webhook_url === '') return 'webhook_url must be set.'
    return String(webhook_url).startsWith('https://')
      ? undefined
      : 'webhook_url must be an address.'
  },
}

export async function noticesFixture(t: Pick<Test, 'teardown'>): Promise<NoticesFixture> {
  const ground = await managementFixture(t)
  const { database, clock } = ground
  const sent: Sent[] = []
  let play: Play = () => ({ kind: 'delivered' })

  const extensions: Extensions = {
    list: (kind) => (kind === 'notifier' ? manifests : []),
    oauth: async () => Promise.reject(new Error('none')),
    oauthOf: async () => Promise.reject(new Error('none')),
    payment: async () => Promise.reject(new Error('none')),
    notifier: async (way) => ({
      faultOf: faults[way],
      async deliver(notice, target) {
        const one = { way, notice, target }
        sent.push(one)
        return play(one)
      },
    }),
  }

  const process: NoticesFixture['process'] = async (t, settings = {}) => {
    const jobs = new Map<string, () => Promise<void> | void>()
    const every: Schedule['every'] = (name, _ms, run) => {
      jobs.set(name, run)
      return { stop: () => void jobs.delete(name), now: async () => {} }
    }
    const notifications = createNotifications({
      settings: settingsOf({
        ...{ limit_count: 0, limit_minutes: 10, remind_threshold: 1000 },
        ...settings,
      }),
      ...{ clock, log: ground.log },
      services: { ...ground, extensions, schedule: { every, everyLeased: every } },
    })
    await notifications.start?.()
    t.teardown(async () => notifications.stop?.())
    return { notifications, job: async (name) => jobs.get(`notifications.${name}`)?.() }
  }

  const rows = (): Promise<readonly Row[]> => database.knex('outbox').orderBy('id')

  async function quiet({ job }: Process): Promise<void> {
    for (;;) {
      await ground.changes.settled()
      const now = new Date(clock.now())
      const due = await database
        .knex('outbox')
        .where('state', 'waiting')
        .where((open) => open.where('next_at', '<=', now).orWhereNotNull('lease_until'))
      if (due.length === 0) return
      await job('poll')
      await pause(2)
    }
  }

  return {
    ...{ fixture: ground, sent, process, rows, quiet },
    play: (next) => {
      play = next
    },
    async clear() {
      await database.knex('outbox').delete()
      await database.knex('users').update({ email: '' })
      sent.splice(0)
      play = () => ({ kind: 'delivered' })
    },
  }
}
