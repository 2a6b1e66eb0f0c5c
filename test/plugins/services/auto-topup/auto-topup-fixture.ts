/** The service `auto-topup` over real payments, with users who agreed to be charged and the clock in the test's hand. */
import type { Test } from 'tap'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import type { Schedule } from '../../../../kernel/contract/services/schedule.js'
import type { OpenDatabase } from '../../../../kernel/store/database.js'
import createAutoTopup, {
  type AutoTopup,
  type AutoTopupState,
} from '../../../../plugins/services/auto-topup/index.js'
import type { Payments } from '../../../../plugins/services/payments/index.js'
import { settingsOf } from '../../management/management-fixture.js'
import { type PaymentsFixture, paymentsFixture } from '../payments/payments-fixture.js'

export interface AutoTopupFixture extends PaymentsFixture {
  readonly autoTopup: AutoTopup
  /** Of the service; may be changed by tests. */
  readonly bounds: Record<string, never> & JsonObject
  /** Another process: its own payments, and its own job. `before`: runs as it is about to charge somebody it found. */
  process(
    before?: () => unknown,
  ): Promise<{ readonly payments: Payments; readonly autoTopup: AutoTopup }>
  /** Somebody who agreed by paying for 10 units, and has spent them. Returns their id. */
  broke(name: string): Promise<number>
  /** 10 units, below one, up to 100 a month. */
  set(userId: number, over?: object): Promise<AutoTopupState>
  read(userId: number): Promise<AutoTopupState>
  /** All the wallet holds but for so much. */
  spend(userId: number, left?: bigint): Promise<void>
  /** Time passes, and the jobs of payments and of the service run. */
  passes(ms: number): Promise<void>
  automatic(
    userId: number,
  ): Promise<readonly { readonly state: string; readonly order_no: string }[]>
}

export const unit = 500_000n
export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** `own`: a database others use as well. */
export async function autoTopupFixture(t: Test, own?: OpenDatabase): Promise<AutoTopupFixture> {
  const ground = await paymentsFixture(t, undefined, own)
  const { database, payments, notifications, clock, log, ledger, person, agree } = ground
  const bounds: Record<string, never> & JsonObject = Object.assign({} as Record<string, never>, {
    ...{ offered: true, capMax: 1_000 },
  })
  const idle: Schedule['every'] = () => ({ stop() {}, async now() {} })
  const schedule = { every: idle, everyLeased: idle }
  const over = (own: Payments) =>
    createAutoTopup({
      services: { database, schedule, notifications, payments: own },
      ...{ settings: settingsOf(bounds), clock, log },
    })
  const autoTopup = over(payments)
  let spent = 0

  async function spend(userId: number, left = 0n): Promise<void> {
    const amount = left - (await ground.balance(userId))
    const key = `spent ${++spent}`
    await ledger.post({ ...{ key, kind: 'admin', userId, amount }, requestId: key, note: 'spent' })
  }

  return {
    ...ground,
    ...{ autoTopup, bounds, spend },
    async process(before = () => {}) {
      const own = await ground.another()
      const charge: Payments['charge'] = async (request) => {
        await before()
        return own.charge(request)
      }
      return { payments: own, autoTopup: over({ ...own, charge }) }
    },
    async broke(name) {
      const { userId } = await person(name)
      await agree(userId, `pm_${name}`)
      await spend(userId)
      return userId
    },
    set: (userId, changes = {}) =>
      autoTopup.set({
        ...{ userId, group: 'default', isOn: true, below: unit, amount: 10, monthlyCap: 100 },
        ...changes,
      }),
    read: (userId) => autoTopup.read({ userId, group: 'default' }),
    async passes(ms) {
      clock.advance(ms)
      await payments.reconcile()
      await autoTopup.run()
    },
    automatic: (userId) =>
      database
        .knex('payment_orders')
        .where({ user_id: userId, automatic: true })
        .orderBy('id')
        .select('state', 'order_no'),
  }
}
