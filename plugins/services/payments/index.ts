/** Payments: what can be bought and how, orders, and the reports that complete them. */
import type { Knex } from 'knex'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Life, Settings } from '../../../kernel/contract/kit.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { addressesOf, callbackOf, knownAddresses } from './addresses.js'
import { endAgreements } from './agreements.js'
import { createReceive } from './callbacks.js'
import { charged, takenOf } from './charging.js'
import { choicesOf } from './choices.js'
import { completed } from './completing.js'
import { canCharge, createGateways, type LoadedGateway } from './gateways.js'
import { lastReports } from './last-reports.js'
import { endMandates, endMandatesOfTheGone, mandatesOf } from './mandates.js'
import { ruleOptions } from './option-rules.js'
import { createOrderNews } from './order-news.js'
import type { Payments, PriceRequest } from './payments.js'
import { placeOrder } from './placing.js'
import { planDraft, planOffer } from './plan-orders.js'
import { mandatePortalOf, portalOf } from './portal.js'
import { type PriceRules, priceOf } from './price.js'
import { reconcile } from './reconciling.js'
import { refunded } from './refunding.js'
import { createRenew } from './renewals.js'
import { eventsOf, orderPage } from './rows.js'
import { createSettle } from './settlement.js'
import { createTallies } from './tallies.js'
import { readTotals } from './totals.js'
import { trimEvents } from './trimming.js'
import { alertOfUnclaimed } from './unclaimed.js'
import { chargeUndecided } from './undecided.js'

export type * from './automatic.js'
export type * from './payments.js'

const tallyMs = 5_000
const reconcileMs = 60_000
const agreementMs = 60_000
const trimMs = 3_600_000

type PaymentsKit = Kit<
  | 'database'
  | 'schedule'
  | 'ledger'
  | 'notifications'
  | 'options'
  | 'extensions'
  | 'catalog'
  | 'subscriptions'
  | 'changes'
  | 'live'
>

export default function create({ services, settings, clock, log }: PaymentsKit): Payments & Life {
  const { database, schedule, ledger, notifications, subscriptions } = services
  const now = () => clock.now()
  ruleOptions(services.options)
  const gateways = createGateways({ ...services, log })
  const tallies = createTallies(database, now)
  const news = createOrderNews(services.changes, services.live)
  const settling = { database, ledger, notifications, subscriptions, news, now }
  const settle = createSettle(settling)
  const renew = createRenew(settling)
  const isKnown = (gateway: string, agreement: string) =>
    database.knex.transaction(async (trx) => {
      const found = await subscriptions.byAgreement(gateway, agreement, trx)
      return found !== undefined
    })
  const waiting = { database, gateways, settle, news, clock, log }
  const placing = {
    ...{ database, news, clock, log },
    ordersMax: () => settings.number('ordersMax'),
    addresses: () => addressesOf(services.options, settings.string('callbackAddress')),
    orderMs: () => settings.number('orderMinutes') * 60_000,
  }
  const portals = { gateways, addresses: placing.addresses }
  const jobs: { stop(): void }[] = []
  async function reconcileAll(): Promise<void> {
    await endMandatesOfTheGone(database.knex, new Date(now()))
    await chargeUndecided(waiting)
    await reconcile(waiting)
    await alertOfUnclaimed({ ...settling, log })
  }
  const trim = async () => {
    await trimEvents(database, { days: settings.number('eventDays'), now: now() })
  }

  function gatewayOf({ gateway: name }: Pick<PriceRequest, 'gateway'>): LoadedGateway {
    const gateway = gateways.named(name)
    if (gateway !== undefined) return gateway
    const reason = `There is no way to pay "${name.slice(0, 64)}", or it is switched off.`
    throw new Refusal('invalid_field', { reason, param: 'gateway' })
  }
  function refuseMandate(gateway: LoadedGateway): void {
    if (canCharge(gateway)) return
    const reason = `${gateway.title} cannot take payments while you are away.`
    throw new Refusal('invalid_field', { reason, param: 'keep_mandate' })
  }
  const priced = (request: PriceRequest) => priceOf(request, gatewayOf(request), rulesOf(settings))

  return {
    gateways: () =>
      gateways.all().map((gateway) => {
        const { manifest: _, plugin: __, ...offered } = gateway
        return { ...offered, keepsMandate: canCharge(gateway) }
      }),
    gatewayStates: () => {
      const addresses = knownAddresses(services.options, settings.string('callbackAddress'))
      return gateways.states().map(({ callback, ...gateway }) => ({
        ...gateway,
        callbackAddress:
          callback.length > 0 && addresses !== undefined ? callbackOf(addresses, gateway.name) : '',
      }))
    },
    lastReports: () => {
      const names = gateways.states().map(({ name }) => name)
      return lastReports(database, names)
    },
    choices: () => choicesOf(settings),
    price: priced,
    async place({ payer, ...request }) {
      const draft = { price: priced(request), product: request.product ?? '' }
      const { method, keepsMandate = false } = request
      const gateway = gatewayOf(request)
      if (keepsMandate) refuseMandate(gateway)
      const order = { payer, gateway, method, keepsMandate, draft: async () => draft }
      return placeOrder(order, placing)
    },
    planOffers: (plan) => gateways.all().flatMap((gateway) => planOffer(plan, gateway) ?? []),
    async placePlan(request) {
      const gateway = gatewayOf(request)
      const { payer, method } = request
      const draft = (trx: Knex.Transaction) => planDraft(request, gateway, subscriptions, trx)
      return placeOrder({ payer, gateway, method, draft }, placing)
    },
    portal: async (subscription) => portalOf(subscription, portals),
    async charge(request) {
      const loaded = gatewayOf(request)
      refuseMandate(loaded)
      return charged({ ...request, loaded, price: priced(request) }, waiting)
    },
    taken: (userId, since, trx) => takenOf(userId, since, trx ?? database.knex),
    mandates: (userId, trx) => mandatesOf(userId, gateways, trx ?? database.knex),
    endMandates: (userId, trx) => endMandates(userId, new Date(now()), trx),
    mandatePortal: (userId, gateway) =>
      mandatePortalOf({ userId, gateway }, { ...portals, knex: database.knex }),
    receive: createReceive({ gateways, settle, renew, isKnown, tallies, clock, log }),
    orders: (query) => orderPage(database.knex, query),
    events: (orderNo) => eventsOf(database.knex, orderNo),
    complete: (completion) => completed(completion, settling),
    refund: (request) => refunded(request, { ...settling, gateways, settle }),
    totals: (query) => readTotals(database, query),
    reconcile: reconcileAll,
    async start() {
      await gateways.start()
      jobs.push(
        schedule.every('payments.tallies', tallyMs, tallies.keep),
        schedule.everyLeased('payments.reconcile', reconcileMs, reconcileAll),
        schedule.everyLeased('payments.agreements', agreementMs, () =>
          endAgreements({ database, gateways, subscriptions, log }),
        ),
        schedule.everyLeased('payments.trim', trimMs, trim),
      )
    },
    async stop() {
      for (const job of jobs.splice(0)) job.stop()
      await tallies.keep().catch((err) => log.warn({ err }, 'counted callbacks are not kept'))
    },
  }
}

function rulesOf(settings: Settings): PriceRules {
  return {
    groupRatios: settings.json('groupRatios'),
    discounts: settings.json('discounts') as JsonObject,
    bonuses: settings.json('bonuses'),
    amountMax: settings.number('amountMax'),
  }
}
