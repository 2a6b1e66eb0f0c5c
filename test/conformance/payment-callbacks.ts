/** Callbacks: genuine ones are read exactly, and nothing else counts (PAY-1, PAY-2). */
import assert from 'node:assert/strict'
import type { CallbackVerdict, PaymentCallback } from '../../kernel/contract/payment.js'
import type { TestFunction } from './kit.js'
import type { CallbackSubject, PaidFacts, PaymentSubject } from './payment.js'
import { assertQuiet, noon, order, paymentBench } from './payment-bench.js'

/** At most so many places of a callback are changed, one at a time. */
const changesMax = 400

export function conformingCallbacks(
  test: TestFunction,
  subject: PaymentSubject,
  callbacks: CallbackSubject,
): void {
  const at = subject.now ?? noon
  const facts: PaidFacts = {
    ...{ orderNo: order.orderNo, amountMinor: 7000n, currency: callbacks.currency, at },
  }
  const judged = async (callback: PaymentCallback): Promise<CallbackVerdict> => {
    const bench = paymentBench(subject, { script: callbacks.provider })
    const verdict = await bench.gateway.verify!(callback)
    assertQuiet(bench, verdict.kind === 'forged' ? verdict.reason : '')
    return verdict
  }
  const refused = async (callback: PaymentCallback, what: string) => {
    const { kind } = await judged(callback)
    assert.ok(kind === 'forged' || kind === 'ignored', `${what} counts for nothing`)
  }

  test('a genuine callback is read exactly, the same at every delivery (PAY-1)', async () => {
    for (const amountMinor of [7000n, 6999n, 7001n, 1n]) {
      const callback = await callbacks.paid({ ...facts, amountMinor })
      const [one, again] = [await judged(callback), await judged(callback)]
      assert.equal(one.kind, 'notice')
      assert.deepEqual(one, again)
      assert.ok(one.kind === 'notice')
      const { notice } = one
      assert.equal(notice.state, 'paid')
      assert.equal(notice.orderNo, facts.orderNo)
      assert.equal(notice.amountMinor, amountMinor, 'what was paid, to the unit')
      assert.ok(notice.event !== '' && notice.reference !== '')
      const { currency = facts.currency } = notice
      assert.equal(currency.toUpperCase(), facts.currency)
    }
  })
  for (const secret of callbacks.secrets) {
    for (const value of ['of another merchant', '']) {
      test(`signed with ${secret} ${value === '' ? 'empty' : value} it is not genuine (PAY-2)`, async () => {
        await refused(await callbacks.paid(facts, { [secret]: value }), 'another signature')
      })
    }
  }
  test('of what is changed at any place nothing else is read (PAY-2)', async () => {
    const genuine = await callbacks.paid(facts)
    const usual = await judged(genuine)
    for (const changed of changes(genuine)) {
      const verdict = await judged(changed)
      // Some places do not matter, as the case of a digit; then the notice is the same.
      if (verdict.kind === 'notice') assert.deepEqual(verdict, usual)
    }
  })
  test('without any one of its headers it is not genuine (PAY-2)', async () => {
    const genuine = await callbacks.paid(facts)
    const free = new Set(callbacks.freeHeaders)
    for (const name of Object.keys(genuine.headers).filter((one) => !free.has(one))) {
      const { [name]: _, ...headers } = genuine.headers
      await refused({ ...genuine, headers }, `a callback without ${name}`)
    }
  })
  test('rubbish is not genuine, and is no error (PAY-2)', async () => {
    const genuine = await callbacks.paid(facts)
    const bodies = [
      '',
      '[]',
      'null',
      '{}',
      '"',
      '\0',
      '{"a":',
      'x'.repeat(256 * 1024),
      '\u{1F600}=&%zz',
    ]
    for (const text of bodies) {
      const rubbish = { ...genuine, query: text.slice(0, 8192), body: Buffer.from(text) }
      await refused(rubbish, `rubbish of ${text.length} characters`)
      await refused({ ...rubbish, headers: {} }, 'rubbish without headers')
    }
    await refused({ ...genuine, body: Buffer.from([0xff, 0xfe, 0x80]), query: '%ff%fe' }, 'no text')
  })
  conformingAge(test, callbacks, { facts, refused, judged })
}

interface Judging {
  readonly facts: PaidFacts
  readonly judged: (callback: PaymentCallback) => Promise<CallbackVerdict>
  readonly refused: (callback: PaymentCallback, what: string) => Promise<void>
}

function conformingAge(
  test: TestFunction,
  { toleranceSeconds, aheadSeconds = toleranceSeconds, paid }: CallbackSubject,
  { facts, refused, judged }: Judging,
): void {
  if (toleranceSeconds === undefined || aheadSeconds === undefined) return
  test('an old callback, and one of the future, is not genuine (PAY-2)', async () => {
    const near = (toleranceSeconds - 2) * 1000
    const far = (toleranceSeconds + 2) * 1000
    const ahead = (aheadSeconds + 2) * 1000
    assert.equal((await judged(await paid({ ...facts, at: facts.at - near }))).kind, 'notice')
    await refused(await paid({ ...facts, at: facts.at - far }), 'an old callback')
    await refused(await paid({ ...facts, at: facts.at + ahead }), 'a callback of the future')
  })
}

/** One character of the query, the body or a header made another, at places spread over all of them. */
export function* changes(callback: PaymentCallback): Generator<PaymentCallback> {
  const { query, body, headers } = callback
  const size = query.length + body.length
  const step = Math.max(1, Math.ceil(size / changesMax))
  for (let place = 0; place < query.length; place += step) {
    yield { ...callback, query: changedAt(query, place) }
  }
  const text = body.toString('latin1')
  for (let place = 0; place < text.length; place += step) {
    yield { ...callback, body: Buffer.from(changedAt(text, place), 'latin1') }
  }
  for (const [name, value] of Object.entries(headers)) {
    for (let place = 0; place < value.length; place += 5) {
      yield { ...callback, headers: { ...headers, [name]: changedAt(value, place) } }
    }
  }
}

function changedAt(text: string, place: number): string {
  const other = text[place] === '7' ? '3' : '7'
  return text.slice(0, place) + other + text.slice(place + 1)
}
