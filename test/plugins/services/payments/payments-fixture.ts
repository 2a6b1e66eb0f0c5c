/** The service `payments` over a database of its own, with one gateway whose provider the test plays. */
import type { Test } from 'tap'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import type {
  CallbackVerdict,
  ChargeOrder,
  ChargeResult,
  Checkout,
  CheckoutOrder,
  PaymentCallback,
  PaymentGateway,
  PaymentNotice,
  PaymentOffer,
  RefundRequest,
  RefundResult,
} from '../../../../kernel/contract/payment.js'
import type { Extensions } from '../../../../kernel/contract/services/extensions.js'
import type { Live } from '../../../../kernel/contract/services/live.js'
import type { Schedule } from '../../../../kernel/contract/services/schedule.js'
import { containedPayment } from '../../../../kernel/registry/contained-payment.js'
import { readManifest } from '../../../../kernel/registry/manifest.js'
import type { OpenDatabase } from '../../../../kernel/store/database.js'
import type { NewNotice, Notifications } from '../../../../plugins/services/notifications/index.js'
import type { Options } from '../../../../plugins/services/options/index.js'
import createPayments, {
  type PaymentOrder,
  type Payments,
} from '../../../../plugins/services/payments/index.js'
import createSubscriptions, {
  type Subscriptions,
} from '../../../../plugins/services/subscriptions/index.js'
import {
  type ManagementFixture,
  managementFixture,
  settingsOf,
} from '../../management/management-fixture.js'

export interface PaymentsFixture extends ManagementFixture {
  readonly payments: Payments
  readonly subscriptions: Subscriptions
  /** What the gateway does next; may be changed by tests. */
  readonly script: Script
  /** Orders whose payment was opened. */
  readonly opened: readonly CheckoutOrder[]
  /** Agreements that were ended at the provider. */
  readonly unsubscribed: readonly string[]
  /** Calls that were to charge, in their order. */
  readonly charges: readonly ChargeOrder[]
  /** What the provider has taken, once for each order. */
  readonly taken: Set<string>
  readonly settings: Record<string, never> & JsonObject
  /** `on`: whether the gateways are switched on. */
  readonly switches: Record<string, boolean>
  /** What payers got notices of, by key. */
  readonly notices: ReadonlyMap<string, readonly string[]>
  /** What root was alerted of, by key. */
  readonly alerts: ReadonlyMap<string, readonly string[]>
  /** Payers whose open pages were notified by any process, in their order. */
  readonly news: number[]
  /** Forgets what root was alerted of so far. */
  forget(): void
  /** Keeps notices and alerts. */
  readonly notifications: Notifications
  /** Checks of options by key. */
  readonly checks: ReadonlyMap<string, (text: string) => unknown>
  /** Jobs of the first process by name. */
  readonly jobs: ReadonlyMap<string, () => Promise<void> | void>
  /** Another service over the same tables, as of another process. */
  another(): Promise<Payments>
  /** An order of 10 units for 70.00 CNY. */
  order(userId: number, over?: object): Promise<PaymentOrder>
  /** Has the user pay for 10 units and agree to be charged by this from then on. */
  agree(userId: number, mandate: string, gateway?: string): Promise<PaymentOrder>
  /** A callback that holds this notice, or these bytes. */
  callback(notice: Partial<PaymentNotice>, gateway?: string): Promise<number | undefined>
  balance(userId: number): Promise<bigint>
}

interface Script {
  offer: PaymentOffer | undefined
  checkout: (order: CheckoutOrder) => Checkout
  fetch: PaymentGateway['fetch']
  refund: (request: RefundRequest) => RefundResult
  charge: (order: ChargeOrder) => ChargeResult | Promise<ChargeResult>
  verify: (callback: PaymentCallback) => CallbackVerdict
}

export const offer: PaymentOffer = {
  currency: 'CNY',
  unitPrice: '7',
  amountMin: '1',
  methods: [{ id: 'alipay', title: 'Alipay' }],
  isTest: false,
}

const manifest = (name: string, callback: readonly string[]) =>
  readManifest(
    JSON.stringify({
      ...{ id: `payment.${name}`, kind: 'payment', engines: { waybill: '^1.0' } },
      ...{ version: '1.0.0', title: name === 'acme' ? 'Acme Pay' : 'Other Pay' },
      ...{ entry: './index.js', payment: { switch: 'on', callback } },
    }),
    'manifest.json',
  )

/** The test is the provider: a callback's body is the notice, amounts as digits. */
export function bodyOf(notice: Partial<PaymentNotice>): Buffer {
  const text = (_: string, value: unknown) => (typeof value === 'bigint' ? `n${value}` : value)
  return Buffer.from(JSON.stringify(notice, text))
}

export function noticeIn(body: Buffer): PaymentNotice {
  return JSON.parse(body.toString(), (_, value) =>
    typeof value === 'string' && /^n\d+$/.test(value) ? BigInt(value.slice(1)) : value,
  )
}

/** What is reported of a charge that was paid. */
export function chargeNotice({ orderNo, amountMinor, currency }: ChargeOrder): PaymentNotice {
  return {
    ...{ event: `charged ${orderNo}`, state: 'paid', orderNo, reference: `charge-${orderNo}` },
    ...{ amountMinor, currency },
  }
}

/** `names`: of the gateways; all do as the script states. One called `other` cannot charge. `given`: a database others use as well. */
export async function paymentsFixture(
  t: Test,
  names: readonly string[] = ['acme', 'other'],
  given?: OpenDatabase,
): Promise<PaymentsFixture> {
  const ground = await managementFixture(t, [], given)
  const { database, clock, log, ledger } = ground
  const opened: CheckoutOrder[] = []
  const unsubscribed: string[] = []
  const charges: ChargeOrder[] = []
  const taken = new Set<string>()
  const switches: Record<string, boolean> = { on: true }
  const alerts = new Map<string, readonly string[]>()
  const checks = new Map<string, (text: string) => unknown>()
  const jobs = new Map<string, () => Promise<void> | void>()
  const script: Script = {
    offer,
    checkout: ({ orderNo }) => ({
      kind: 'redirect',
      url: `https://pay.example/${orderNo}`,
      reference: `checkout-${orderNo}`,
    }),
    fetch: undefined,
    refund: () => ({ kind: 'begun' }),
    charge(order) {
      taken.add(order.orderNo)
      return { kind: 'done', notice: chargeNotice(order) }
    },
    verify: ({ body }) => ({ kind: 'notice', notice: noticeIn(body) }),
  }
  const gateway: PaymentGateway = {
    offer: () => script.offer,
    async checkout(order) {
      opened.push(order)
      return script.checkout(order)
    },
    verify: (callback) => script.verify(callback),
    fetch: async (order) => script.fetch?.(order),
    refund: async (request) => script.refund(request),
    subscribe: async (order) => {
      opened.push(order)
      return script.checkout(order)
    },
    unsubscribe: async (agreement) => void unsubscribed.push(agreement),
    portal: async ({ agreement, mandate }) => ({
      url: `https://pay.example/portal/${agreement ?? mandate}`,
    }),
    async charge(order) {
      charges.push(order)
      return script.charge(order)
    },
    reply: (outcome) => ({ body: outcome === 'accepted' ? 'success' : 'fail' }),
  }
  const manifests = names.map((name) => manifest(name, ['POST']))
  const extensions = {
    list: () => manifests,
    payment: async (name: string) => {
      const plugin = name === 'other' ? { ...gateway, charge: undefined } : gateway
      return containedPayment(plugin, manifests.find(({ id }) => id === `payment.${name}`)!, log)
    },
  } as unknown as Extensions
  const options = {
    of: () => settingsOf(switches),
    list: () => [{ key: 'ServerAddress', value: 'https://gate.example/' }],
    check: (key: string, check: (text: string) => void) => checks.set(key, check),
  } as unknown as Options
  const every: Schedule['every'] = (name, _ms, run) => {
    if (!jobs.has(name)) jobs.set(name, run)
    return { stop: () => void jobs.delete(name), now: async () => {} }
  }
  const settings: Record<string, never> & JsonObject = Object.assign({} as Record<string, never>, {
    ...{ groupRatios: {}, discounts: {}, bonuses: {}, amountMax: 1000 },
    ...{ ordersMax: 200, orderMinutes: 60, callbackAddress: '', eventDays: 730 },
  })

  const notices = new Map<string, readonly string[]>()
  const notifications = {
    notify: async (_: number, { values }: NewNotice, key: string) => void notices.set(key, values),
    notifyRoot: async ({ values }: NewNotice, key: string) => void alerts.set(key, values),
  } as unknown as Notifications

  const { changes, identity } = ground
  const own = { database, ledger, notifications, options, changes, identity }
  const news: number[] = []
  const live: Live = { publish: (_, __, userId) => void news.push(userId!) }
  const subscriptions = createSubscriptions({
    services: { ...own, schedule: { every, everyLeased: every } },
    ...{ settings: settingsOf({ timeZone: 'UTC', newUserPlan: 0 }), clock, log },
  })
  await subscriptions.start?.()

  async function another(): Promise<Payments> {
    const services = {
      ...{ database, ledger, notifications, extensions, options, subscriptions, changes, live },
      catalog: ground.catalog,
      schedule: { every, everyLeased: every },
    }
    const made = createPayments({ services, settings: settingsOf(settings), clock, log })
    await made.start?.()
    t.teardown(async () => made.stop?.())
    return made
  }

  const payments = await another()
  const from = { address: '203.0.113.7', requestId: 'callback' }
  const usual = { gateway: 'acme', group: 'default', amount: 10 }
  async function callback(notice: Partial<PaymentNotice>, name = 'acme') {
    const request = { method: 'POST', headers: {}, query: '', body: bodyOf(notice) } as const
    return (await payments.receive(name, request, from))?.status
  }

  return {
    ...ground,
    ...{
      payments,
      subscriptions,
      script,
      opened,
      unsubscribed,
      charges,
      taken,
      notifications,
      settings,
      switches,
      notices,
      alerts,
      news,
      checks,
      jobs,
      another,
    },
    forget: () => alerts.clear(),
    async order(userId, over = {}) {
      const placed = await payments.place({ ...usual, payer: { id: userId }, ...over })
      return placed.order
    },
    async agree(userId, mandate, name = 'acme') {
      const wanted = { ...usual, gateway: name, payer: { id: userId }, keepsMandate: true }
      const { order } = await payments.place(wanted)
      const { orderNo, amountMinor, currency } = order
      const paid = { ...chargeNotice({ orderNo, amountMinor, currency, title: '', mandate }) }
      await callback({ ...paid, mandate }, name)
      return order
    },
    callback,
    async balance(userId) {
      return (await ledger.wallets([userId])).get(userId)?.posted ?? 0n
    },
  }
}
