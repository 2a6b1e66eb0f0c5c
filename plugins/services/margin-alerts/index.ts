/** Notifies root of margins that are low: once for each channel and day, whatever number of processes look. */
import type { Life } from '../../../kernel/contract/kit.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { chosenLanguage } from '../../../kernel/toolkit/notifier/index.js'
import type { DayMargin } from '../usage-log/index.js'
import type { MarginAlerts } from './margin-alerts.js'
import { type LowMargin, noticeOf } from './texts.js'

export type * from './margin-alerts.js'

/** Rarer than notices of a kind are limited: two in ten minutes, unless somebody changed that. */
const lookMs = 10 * 60_000
const daySeconds = 86_400
const billionthsPerDollar = 1_000_000_000n
const rootRole = 100
/** How long is remembered what was noticed; only today and yesterday are looked at. */
const keptDays = 7

type MarginKit = Kit<'database' | 'schedule' | 'usage-log' | 'notifications'>

export default function create({ services, settings, clock }: MarginKit): MarginAlerts & Life {
  const { database, schedule, notifications, 'usage-log': log } = services
  let job: { stop(): void } | undefined

  function isLow({ revenue, cost, margin }: DayMargin): boolean {
    const least = BigInt(settings.number('minimum')) * billionthsPerDollar
    if (revenue < least && cost < least) return false
    return margin * 100n < BigInt(settings.number('threshold')) * revenue
  }

  async function lowOf(day: number): Promise<readonly LowMargin[]> {
    const date = dateOf(day)
    const low = (await log.dayMargins(day)).filter(isLow)
    return low.map((sums) => ({ ...sums, day: date }))
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
    const low = [...(await lowOf(today - daySeconds)), ...(await lowOf(today))]
    if (low.length > 0) await notify(low, today)
  }

  /** What was noticed is kept with the notice, or neither is: a notice that cannot be delivered is not written again. */
  async function notify(low: readonly LowMargin[], today: number): Promise<void> {
    const language = await languageOfRoot()
    await database.knex.transaction(async (trx) => {
      await trx('margin_notices')
        .where('day', '<', dateOf(today - keptDays * daySeconds))
        .delete()
      const added = await trx('margin_notices')
        .insert(low.map(({ day, channelId }) => ({ day, channel_id: channelId })))
        .onConflict()
        .ignore()
        .returning<{ day: string; channel_id: number }[]>([
          trx.raw('day::text AS day'),
          'channel_id',
        ])
      const fresh = new Set(added.map(({ day, channel_id }) => `${day} ${channel_id}`))
      const news = low.filter(({ day, channelId }) => fresh.has(`${day} ${channelId}`))
      if (news.length > 0) await notifications.notifyRoot(noticeOf(news, language), undefined, trx)
    })
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

function dateOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10)
}
