/** Payments: what can be bought and how, orders, and the reports that complete them. */
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Life, Settings } from '../../../kernel/contract/kit.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { addressesOf, callbackOf, knownAddresses } from './addresses.js'
import { createReceive } from './callbacks.js'
import { choicesOf } from './choices.js'
import { completed } from './completing.js'
import { createGateways } from './gateways.js'
import { ruleOptions } from './option-rules.js'
import type { Payments, PriceRequest } from './payments.js'
import { placeOrder } from './placing.js'
import { type PriceRules, priceOf } from './price.js'
import { reconcile } from './reconciling.js'
import { refunded } from './refunding.js'
import { eventsOf, orderPage } from './rows.js'
import { createSettle } from './settlement.js'
import { createTallies } from './tallies.js'
import { readTotals } from './totals.js'
import { trimEvents } from './trimming.js'

export type * from './payments.js'

const tallyMs = 5_000
const reconcileMs = 60_000
const trimMs = 3_600_000

export default function create({
  services,
  settings,
  clock,
  log,
}: Kit<'database' | 'schedule' | 'ledger' | 'notifications' | 'options' | 'extensions'>): Payments &
  Life {
  const { database, schedule, ledger, notifications } = services
  const now = () => clock.now()
  ruleOptions(services.options)
  const gateways = createGateways({ ...services, log })
  const tallies = createTallies(database, now)
  const settling = { database, ledger, notifications, now }
  const settle = createSettle(settling)
  const waiting = { database, gateways, settle, clock, log }
  const placing = {
    ...{ database, clock, log },
    ordersMax: () => settings.number('ordersMax'),
    addresses: () => addressesOf(services.options, settings.string('callbackAddress')),
    orderMs: () => settings.number('orderMinutes') * 60_000,
  }
  const jobs: { stop(): void }[] = []
  const trim = async () => {
    await trimEvents(database, { days: settings.number('eventDays'), now: now() })
  }

  function priced(request: PriceRequest) {
    const gateway = gateways.named(request.gateway)
    if (gateway === undefined) {
      const reason = `There is no way to pay "${request.gateway.slice(0, 64)}", or it is switched off.`
      throw new Refusal('invalid_field', { reason, param: 'gateway' })
    }
    return { gateway, price: priceOf(request, gateway, rulesOf(settings)) }
  }

  return {
    gateways: () => gateways.all().map(({ name, title, offer }) => ({ name, title, offer })),
    gatewayStates: () => {
      const addresses = knownAddresses(services.options, settings.string('callbackAddress'))
      return gateways.states().map(({ callback, ...gateway }) => ({
        ...gateway,
        callbackAddress:
          callback.length > 0 && addresses !== undefined ? callbackOf(addresses, gateway.name) : '',
      }))
    },
    choices: () => choicesOf(settings),
    price: (request) => priced(request).price,
    place: async (request) => placeOrder(request, priced(request), placing),
    receive: createReceive({ gateways, settle, tallies, clock, log }),
    orders: (query) => orderPage(database.knex, query),
    events: (orderNo) => eventsOf(database.knex, orderNo),
    complete: (completion) => completed(completion, settling),
    refund: (request) => refunded(request, { ...settling, gateways, settle }),
    totals: (query) => readTotals(database, query),
    reconcile: () => reconcile(waiting),
    async start() {
      await gateways.start()
      jobs.push(
        schedule.every('payments.tallies', tallyMs, tallies.keep),
        schedule.everyLeased('payments.reconcile', reconcileMs, () => reconcile(waiting)),
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
