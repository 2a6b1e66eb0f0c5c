/** Subscriptions: plans, who has subscribed to one, and what pays for the requests of who has. */
import type { Knex } from 'knex'
import type { Life } from '../../../kernel/contract/kit.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { bought, exchanged, granted, paidFor, tried, welcomed } from './buying.js'
import * as changing from './changing.js'
import { sourcesOf } from './funding.js'
import { type Holdings, readHoldings } from './holdings.js'
import { ruleOptions } from './option-rules.js'
import { createPlans } from './plans.js'
import { quoted } from './quoting.js'
import { agreementsToEnd, heirOf, periodsOf, standingOf, subscriptionPage } from './reading.js'
import { roll } from './rolling.js'
import { type SubscriptionRow, subscriptionOf } from './rows.js'
import type { Preference, Subscriptions } from './subscriptions.js'
import { foundRow, type Tools, topic } from './tools.js'
import { usageOf } from './usage.js'

export type { Span } from './calendar.js'
export type * from './subscriptions.js'
export type * from './terms.js'

const rollMs = 5_000

type SubscriptionsKit = Kit<
  'database' | 'schedule' | 'ledger' | 'changes' | 'identity' | 'notifications' | 'options'
>

export default function create({
  services,
  settings,
  clock,
  log,
}: SubscriptionsKit): Subscriptions & Life {
  const { database, schedule, ledger, changes, identity, notifications } = services
  const { knex } = database
  const now = () => new Date(clock.now())
  const tools: Tools = {
    ...{ database, ledger, changes, users: identity.users, notifications, log, now },
    zone: () => settings.string('timeZone').trim(),
  }
  ruleOptions(services.options)
  const holdings = new Map<number, Holdings>()
  changes.on(topic, async (ids) => {
    const userIds = [...ids].map(Number)
    const fresh = await readHoldings(knex, userIds)
    for (const userId of userIds) {
      const mine = fresh.get(userId)
      if (mine === undefined) holdings.delete(userId)
      else holdings.set(userId, mine)
    }
  })
  let job: { stop(): void } | undefined

  /** What was written is in force when it resolves. */
  async function written<Result>(run: (trx: Knex.Transaction) => Promise<Result>): Promise<Result> {
    const result = await knex.transaction(run)
    await changes.settled()
    return result
  }

  return {
    plans: createPlans(knex, now),
    sources({ id, walletId }) {
      if (!holdings.has(id)) return undefined
      return (draft) => {
        const mine = holdings.get(id)
        return mine
          ? sourcesOf(mine, walletId, draft, () => clock.now())
          : [{ accountId: walletId }]
      }
    },
    quote: (request, trx = undefined) => quoted(request, tools, trx ?? knex),
    buy: (purchase) => written((trx) => bought(purchase, tools, trx)),
    exchange: (exchange) => written((trx) => exchanged(exchange, tools, trx)),
    try: (trial) => written((trx) => tried(trial, tools, trx)),
    grant: (grant) => written((trx) => granted(grant, tools, trx)),
    async welcome(userId, requestId, trx) {
      const planId = settings.number('newUserPlan')
      if (planId > 0) await welcomed({ userId, planId, requestId }, tools, trx)
    },
    paid: (order, trx) => paidFor(order, tools, trx),
    renewed: (renewal, trx) => changing.renewedByPayment(renewal, tools, trx),
    async byAgreement(gateway, agreement, trx) {
      const row = await changing.byAgreement(gateway, agreement, trx)
      return row && subscriptionOf(row)
    },
    agreementEnded: (id, trx) => changing.agreementEnded(id, tools, trx),
    agreementsToEnd: (gateways) => agreementsToEnd(knex, gateways),
    list: (query) => subscriptionPage(knex, query),
    async get(id, userId) {
      const row = await knex<SubscriptionRow>('subscriptions').where({ id }).first()
      return subscriptionOf(foundRow(row as SubscriptionRow | undefined, userId))
    },
    heir: heirOf,
    standing: (userId) => standingOf(knex, userId),
    periods: (id) => periodsOf(id, { knex, ledger }),
    usage: (ids) => usageOf(ids, { knex, ledger, now }),
    end(id, reason, trx) {
      if (trx !== undefined) return changing.cancelled(id, reason, tools, trx)
      return written((own) => changing.cancelled(id, reason, tools, own))
    },
    setRenewal: (request) => written((trx) => changing.renewalSet(request, tools, trx)),
    async reset(request) {
      const result = await changing.reset(request, tools)
      await changes.settled()
      return result
    },
    async preference(userId) {
      const row = await knex('subscription_preferences').where('user_id', userId).first()
      return (row?.preference as Preference | undefined) ?? 'subscription_first'
    },
    setPreference: (userId, preference) =>
      written(async (trx) => {
        const row = { user_id: userId, preference }
        await trx('subscription_preferences').insert(row).onConflict('user_id').merge()
        await changes.note(trx, topic, userId)
      }),
    roll: () => roll(tools),
    async start() {
      for (const [userId, mine] of await readHoldings(knex)) holdings.set(userId, mine)
      job = schedule.everyLeased('subscriptions.roll', rollMs, () => roll(tools))
    },
    async stop() {
      job?.stop()
    },
  }
}
