/**
 * Processes that take payments are killed at any moment, in the midst of callbacks of plans and credit and of automatic charges.
 * The provider reports again until it is acknowledged, and takes the payment of an order once. In the end everything stands once.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import type { PaymentNotice, RenewalNotice } from '../../../../kernel/contract/payment.js'
import { openDatabase } from '../../../../kernel/store/database.js'
import { freshDatabaseUrl, silentLog } from '../../../kit/database.js'
import { autoTopupFixture, minuteMs, unit } from '../auto-topup/auto-topup-fixture.js'
import type { FromChild, FromParent } from './children/payments-process.js'
import { bodyOf } from './payments-fixture.js'

const program = fileURLToPath(new URL('./children/payments-process.js', import.meta.url))
/** As many as there is time for: where the machine is slow a few do. */
const rounds = { min: 5, max: 15, ms: 40_000 }
/** Of each kind, in each round. */
const several = 3
const dayMs = 24 * 60 * minuteMs

t.test(
  '[PAY-5] of processes killed among callbacks and charges everything stands once',
  { timeout: 240_000, skip: !process.env.DATABASE_URL && 'needs PostgreSQL' },
  async (t) => {
    const databaseUrl = (await freshDatabaseUrl(t))!
    const database = await openDatabase({ databaseUrl, dataDir: '', log: silentLog })
    t.teardown(() => database.close())
    const fixture = await autoTopupFixture(t, database)
    const { payments, subscriptions, clock, person, broke, set, balance, callback } = fixture
    const begun = clock.now()
    const { id: planId } = await subscriptions.plans.create({
      terms: {
        ...{ title: 'Monthly', subtitle: '', duration: { unit: 'day', count: 30 } },
        ...{ quota: 1_000n, caps: [], models: [], groups: [], overflow: true },
        ...{ upgradeGroup: '', downgradeGroup: '' },
      },
      ...{ isOn: true, sortOrder: 0, prices: { CNY: 3_000n }, products: {} },
      ...{ purchasesMax: 0, trialDays: 0 },
    })
    const [first, renewed, refunded, credited]: { userId: number; orderNo: string }[][] = [
      [],
      [],
      [],
      [],
    ]
    const charged: number[] = []

    /** What the provider has not been acknowledged of, by event. */
    const reports = new Map<string, string>()
    const taken = new Set<string>()
    const report = (notice: Partial<PaymentNotice> | Partial<RenewalNotice>) =>
      reports.set(notice.event!, bodyOf(notice as Partial<PaymentNotice>).toString())
    const paid = (orderNo: string, over: Partial<PaymentNotice> = {}) => ({
      ...{ event: `paid ${orderNo}`, state: 'paid' as const, orderNo, currency: 'CNY' },
      ...{ reference: `pay ${orderNo}`, amountMinor: 3_000n, ...over },
    })
    const back = (orderNo: string, amountMinor: bigint) =>
      report(paid(orderNo, { event: `refunded ${orderNo}`, state: 'refunded', amountMinor }))

    async function ordered(name: string) {
      const { userId } = await person(name)
      const request = { gateway: 'acme', payer: { id: userId }, planId, recurring: true }
      return { userId, orderNo: (await payments.placePlan(request)).order.orderNo }
    }

    /** New orders of every kind, and what is reported of them. */
    async function furnish(): Promise<void> {
      for (let at = 0; at < several; at++) {
        const one = await ordered('first')
        first!.push(one)
        report(paid(one.orderNo, { agreement: `sub ${one.orderNo}` }))
        const two = await ordered('renewed')
        renewed!.push(two)
        await callback(paid(two.orderNo, { agreement: `sub ${two.orderNo}` }))
        const cycle = { agreement: `sub ${two.orderNo}`, event: `renewal ${two.orderNo}` }
        const amount = { amountMinor: 3_000n, currency: 'CNY', reference: `inv ${two.orderNo}` }
        report({ ...cycle, ...amount, state: 'paid' })
        const three = await ordered('refunded')
        refunded!.push(three)
        report(paid(three.orderNo))
        back(three.orderNo, 3_000n)
        const { userId } = await person('credited')
        const { orderNo } = await fixture.order(userId)
        credited!.push({ userId, orderNo })
        report(paid(orderNo, { amountMinor: 7_000n }))
        back(orderNo, 2_100n)
        const payer = await broke('charged')
        await set(payer)
        charged.push(payer)
      }
    }

    /** Everything the provider has left to report, at once and each twice, and a run of charges. */
    async function worked(child: Child, until: Promise<unknown>): Promise<void> {
      const run = child.charge()
      const shuffled = [...reports].sort(() => Math.random() - 0.5)
      const done = shuffled.flatMap(([event, body]) => [
        child.report(event, body),
        child.report(event, body),
      ])
      await Promise.race([Promise.all([...done, run]), until])
    }

    function started(): Promise<Child> {
      const laterMs = clock.now() - begun
      return startChild(t, [databaseUrl, String(laterMs)], {
        settled(event, status) {
          if (status === 200 && reports.delete(event)) passed()
        },
        take(orderNo) {
          taken.add(orderNo)
          passed()
        },
      })
    }

    /** Called as a report is acknowledged for the first time, and as a payment is taken. */
    let passed = () => {}
    let cut = 0
    const begunMs = performance.now()
    let round = 0
    for (; round < rounds.max; round++) {
      if (round >= rounds.min && performance.now() - begunMs > rounds.ms) break
      const next = started()
      await furnish()
      const child = await next
      // Counted, not timed: on a machine of any pace reports are left when it is killed.
      let left = 1 + Math.floor(Math.random() * (reports.size - 1))
      passed = () => {
        left -= 1
        if (left === 0) void child.kill()
      }
      await worked(child, child.ended)
      if (child.isDead() && reports.size > 0) cut += 1
      await child.kill()
      clock.advance(2 * minuteMs)
    }
    passed = () => {}
    t.ok(cut > round / 2, `${cut} of ${round} were killed before they were done`)

    const last = await started()
    for (let again = 0; again < 5 && reports.size > 0; again++) await worked(last, last.ended)
    await last.kill()
    t.strictSame([...reports.keys()], [], 'everything was acknowledged in the end')
    // One that was cut off again and again waits for up to an hour, and a run looks at fifty.
    clock.advance(61 * minuteMs)
    const later = await started()
    for (let run = 0; run <= charged.length / 50; run++) await later.charge()
    await later.kill()

    const { knex } = database
    const of = async (userId: number) =>
      (await subscriptions.list({ userId, offset: 0, limit: 10 })).items
    const grants = async (id: number) =>
      (await knex('transfers').where('idem_key', 'like', `sub_grant:${id}:%`)).length
    const orders = (userId: number) => knex('payment_orders').where('user_id', userId)
    for (const { userId, orderNo } of first!) {
      const [made, ...others] = await of(userId)
      t.match(made, { state: 'active', orderNo, renewals: 0 })
      t.strictSame([others.length, await grants(made!.id)], [0, 1])
    }
    for (const { userId } of renewed!) {
      const [made, ...others] = await of(userId)
      t.match(made, { state: 'active', renewals: 1 })
      t.equal(made!.endsAt.getTime() - made!.startsAt.getTime(), 60 * dayMs)
      t.strictSame([others.length, (await orders(userId)).length], [0, 2])
    }
    for (const { userId } of refunded!) {
      const all = await of(userId)
      t.match(all, [{ state: 'cancelled' }])
      t.equal(await grants(all[0]!.id), 1)
    }
    for (const { userId } of credited!) t.equal(await balance(userId), 7n * unit)
    for (const userId of charged) {
      const automatic = await fixture.automatic(userId)
      t.match(automatic, [{ state: 'paid' }])
      t.equal(automatic.length, 1)
      t.ok(taken.delete(automatic[0]!.order_no))
      t.equal(await balance(userId), 10n * unit)
    }
    t.equal(taken.size, 0, 'nothing was taken for no order')
    clock.advance(31 * dayMs)
    await subscriptions.roll()
    for (const { userId } of renewed!) {
      const [made] = await of(userId)
      t.strictSame([(await subscriptions.periods(made!.id)).length, await grants(made!.id)], [2, 2])
    }
    t.strictSame(await fixture.ledger.check(), [])
  },
)

interface Child {
  readonly ended: Promise<unknown>
  isDead(): boolean
  /** Resolves once the process replied. */
  report(event: string, body: string): Promise<void>
  /** Resolves once it looked at every wallet. */
  charge(): Promise<void>
  kill(): Promise<void>
}

interface Provider {
  settled(event: string, status: number | undefined): unknown
  /** The payment of an order is taken from now on, whatever becomes of who called. */
  take(orderNo: string): unknown
}

async function startChild(
  t: Pick<Test, 'teardown'>,
  args: readonly string[],
  provider: Provider,
): Promise<Child> {
  // It starts sooner without maps of its sources, which nobody reads.
  const child: ChildProcess = fork(program, args, { execArgv: [] })
  const ended = once(child, 'exit')
  const waiting = new Map<string, (() => void)[]>()
  const wait = (what: string) =>
    new Promise<void>((resolve) => {
      waiting.set(what, [...(waiting.get(what) ?? []), resolve])
    })
  const isDead = () => child.exitCode !== null || child.signalCode !== null
  const send = (message: FromParent) => void (child.connected && child.send(message, () => {}))
  child.on('message', (message: FromChild) => {
    if (message.kind === 'take') {
      provider.take(message.orderNo)
      send({ kind: 'taken', orderNo: message.orderNo })
      return
    }
    if (message.kind === 'settled') provider.settled(message.event, message.status)
    const what = message.kind === 'settled' ? message.event : message.kind
    waiting.get(what)?.shift()?.()
  })
  async function kill(): Promise<void> {
    child.kill('SIGKILL')
    await ended
  }
  t.teardown(kill)
  await Promise.race([
    wait('ready'),
    ended.then(() => {
      throw new Error('the process ended before it was ready')
    }),
  ])
  return {
    ...{ ended, isDead, kill },
    report(event, body) {
      send({ kind: 'report', event, body })
      return wait(event)
    },
    charge() {
      send({ kind: 'charge' })
      return wait('charged')
    },
  }
}
