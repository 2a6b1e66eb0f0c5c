/** Automatic top-up: when a user's wallet is topped up, by how much, and how often. Money is taken by the service `payments`. */
import type { Life } from '../../../kernel/contract/kit.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import type { AutoTopup, AutoTopupPayer, AutoTopupState } from './auto-topup.js'
import { chargeDue } from './charging.js'
import { takeOutcomes } from './outcomes.js'
import { monthOf, rowsOf, settingsOf } from './rows.js'
import { changed, removed } from './settings.js'
import { standingOf } from './standing.js'

export type * from './auto-topup.js'

const runMs = 5_000

type AutoTopupKit = Kit<'database' | 'schedule' | 'notifications' | 'payments'>

export default function create({ services, settings, clock, log }: AutoTopupKit): AutoTopup & Life {
  const { database, schedule, notifications, payments } = services
  const offered = () => settings.boolean('offered')
  const capMax = () => settings.number('capMax')
  const now = () => clock.now()
  const tools = { database, notifications, payments, offered, capMax, now, log }
  let job: { stop(): void } | undefined

  async function read({ userId, group }: AutoTopupPayer): Promise<AutoTopupState> {
    const row = await rowsOf(database.knex).where('user_id', userId).first()
    const [mandates, { units: spent }] = await Promise.all([
      payments.mandates(userId),
      payments.taken(userId, monthOf(now())),
    ])
    const able = payments.gateways().filter(({ keepsMandate }) => keepsMandate)
    const { gateway: used = '', amount } = row ?? {}
    const standing = standingOf(row, {
      ...{ offered: offered(), capMax: capMax(), spent, now: now() },
      mandate: mandates.find(({ gateway }) => gateway === used),
      gateway: able.find(({ name }) => name === used),
      price: () => payments.price({ gateway: used, group, amount }),
    })
    return {
      ...{ offered: offered(), capMax: capMax(), standing, spent, mandates },
      ...(row !== undefined && { settings: settingsOf(row) }),
      gateways: able.map(({ name, title, offer }) => ({ name, title, isTest: offer.isTest })),
    }
  }

  async function run(): Promise<void> {
    await takeOutcomes(tools)
    if (!offered()) return
    await chargeDue(tools)
    await takeOutcomes(tools)
  }

  return {
    read,
    async set(change) {
      await changed(change, tools)
      return read(change)
    },
    async remove(payer) {
      await removed(payer.userId, tools)
      return read(payer)
    },
    run,
    start() {
      job = schedule.everyLeased('auto-topup.run', runMs, run)
    },
    stop() {
      job?.stop()
    },
  }
}
