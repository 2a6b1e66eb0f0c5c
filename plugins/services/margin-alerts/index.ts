/** Notifies root of margins that are low: once for each channel and day, whatever number of processes look. */
import type { Life } from '../../../kernel/contract/kit.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { chosenLanguage } from '../../../kernel/toolkit/notifier/index.js'
import type { DayMargin } from '../usage-log/index.js'
import type { MarginAlerts } from './margin-alerts.js'
import { noticeOf } from './texts.js'

export type * from './margin-alerts.js'

const lookMs = 5 * 60_000
const daySeconds = 86_400
const billionthsPerDollar = 1_000_000_000n
const rootRole = 100

type MarginKit = Kit<'database' | 'schedule' | 'usage-log' | 'notifications'>

export default function create({ services, settings, clock }: MarginKit): MarginAlerts & Life {
  const { database, schedule, notifications, 'usage-log': log } = services
  let job: { stop(): void } | undefined

  function isLow({ revenue, cost, margin }: DayMargin): boolean {
    const least = BigInt(settings.number('minimum')) * billionthsPerDollar
    if (revenue < least && cost < least) return false
    return margin * 100n < BigInt(settings.number('threshold')) * revenue
  }

  async function lookAt(day: number): Promise<void> {
    const low = (await log.dayMargins(day)).filter(isLow)
    if (low.length === 0) return
    const date = new Date(day * 1000).toISOString().slice(0, 10)
    const language = await languageOfRoot()
    for (const sums of low) {
      const notice = noticeOf(sums, date, language)
      await notifications.notifyRoot(notice, `margin:${date}:${sums.channelId}`)
    }
  }

  async function languageOfRoot() {
    const root = await database
      .knex('users')
      .where({ role: rootRole })
      .whereNull('deleted_at')
      .first(database.knex.raw("setting -> 'language' AS language"))
    return chosenLanguage(root?.language) ?? 'en'
  }

  async function look(): Promise<void> {
    if (!settings.boolean('notices')) return
    const today = Math.floor(clock.now() / 1000 / daySeconds) * daySeconds
    // Requests that end after midnight are of the next day, but are summed a little later.
    await lookAt(today - daySeconds)
    await lookAt(today)
  }

  return {
    look,
    start() {
      job = schedule.everyLeased('margin-alerts.look', lookMs, look)
    },
    stop() {
      job?.stop()
    },
  }
}
