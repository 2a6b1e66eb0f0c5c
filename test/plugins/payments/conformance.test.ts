/** The gateways under the conformance kit, their callbacks signed by other hands: openssl, and Stripe's own client. */
import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { PaymentCallback } from '../../../kernel/contract/payment.js'
import createEpay from '../../../plugins/payments/epay/index.js'
import createOffline from '../../../plugins/payments/offline/index.js'
import createStripe from '../../../plugins/payments/stripe/index.js'
import {
  conformingPayment,
  type PaidFacts,
  type PaymentSubject,
  type RenewedFacts,
} from '../../conformance/index.js'
import { callbackOf, now, order } from './gateway-fixture.js'
import { stripeApi, key as stripeKey, stripeState, takenBy } from './stripe-api.js'
import { headerOf, session, event as stripeEvent } from './stripe-fixture.js'

const conforming = (t: Test, subject: PaymentSubject) =>
  conformingPayment((title, run) => t.test(title, async () => run()), subject)
const manifestOf = (name: string) => readFileSync(`plugins/payments/${name}/manifest.json`, 'utf8')

const folder = mkdtempSync(join(tmpdir(), 'payments-'))
t.teardown(() => rmSync(folder, { recursive: true }))

const openssl = (input: string, ...args: readonly string[]) =>
  execFileSync('openssl', ['dgst', ...args], { input })

function signedText(fields: Readonly<Record<string, string>>): string {
  return Object.keys(fields)
    .sort()
    .map((name) => `${name}=${fields[name]}`)
    .join('&')
}

/** Two digits, as Epay writes yuan. */
const yuan = (minor: bigint) => `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`

const epayFields = ({ orderNo, amountMinor }: PaidFacts) => ({
  ...{ pid: '1001', trade_no: '2026013112000000001', out_trade_no: orderNo },
  ...{ type: 'alipay', name: 'credit', money: yuan(amountMinor), trade_status: 'TRADE_SUCCESS' },
})

t.test('Epay, first interface', async (t) => {
  const key = 'k3y of the merchant'
  conforming(t, {
    manifest: manifestOf('epay'),
    create: createEpay,
    settings: { address: 'https://pay.example', merchant: '1001', key, currency: 'CNY' },
    required: ['address', 'merchant', 'key'],
    checkout: {
      amounts: [
        { currency: 'CNY', amountMinor: 7000n, written: '70.00' },
        { currency: 'CNY', amountMinor: 1n, written: '0.01' },
        { currency: 'JPY', amountMinor: 1050n, written: '1050', settings: { currency: 'JPY' } },
        { currency: 'KWD', amountMinor: 1050n, written: '1.050', settings: { currency: 'KWD' } },
      ],
    },
    callbacks: {
      secrets: ['key'],
      currency: 'CNY',
      paid(facts, secrets = {}) {
        const fields = epayFields(facts)
        const secret = String(secrets.key ?? key)
        const [sign = ''] = openssl(signedText(fields) + secret, '-md5', '-r')
          .toString()
          .split(' ')
        return callbackOf({ ...fields, sign, sign_type: 'MD5' })
      },
    },
    lookup: {
      paid: () => ({
        json: { code: 1, status: 1, out_trade_no: order.orderNo, trade_no: 'p1', money: '70.00' },
      }),
      unpaid: () => ({ json: { code: -1, msg: 'no such order' } }),
    },
  })
})

t.test('Epay, second interface', async (t) => {
  const pair = () =>
    generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    })
  const [merchant, platform, stranger] = [pair(), pair(), pair()]
  const file = join(folder, 'key.pem')
  conforming(t, {
    manifest: manifestOf('epay'),
    create: createEpay,
    settings: {
      ...{ address: 'https://pay.example', merchant: '1001', signing: 'RSA', currency: 'CNY' },
      ...{ merchantKey: merchant.privateKey, platformKey: platform.publicKey },
    },
    required: ['address', 'merchant', 'merchantKey', 'platformKey'],
    checkout: { amounts: [{ currency: 'CNY', amountMinor: 7000n, written: '70.00' }] },
    callbacks: {
      secrets: ['platformKey'],
      currency: 'CNY',
      toleranceSeconds: 300,
      paid(facts, secrets) {
        const fields = { ...epayFields(facts), timestamp: String(Math.floor(facts.at / 1000)) }
        writeFileSync(file, (secrets === undefined ? platform : stranger).privateKey)
        const sign = openssl(signedText(fields), '-sha256', '-sign', file).toString('base64')
        return callbackOf({ ...fields, sign, sign_type: 'RSA' }, 'POST')
      },
    },
  })
})

t.test('Stripe', async (t) => {
  const settings = { key: stripeKey, webhookSecret: 'whsec_of_the_conformance', currency: 'USD' }
  const metadata = { order_no: order.orderNo }

  function callback(type: string, object: JsonObject, at: number, secrets: JsonObject = {}) {
    const timestamp = Math.floor(at / 1000)
    const payload = stripeEvent(type, object, { created: timestamp })
    const secret = String(secrets.webhookSecret ?? settings.webhookSecret)
    const header = headerOf(payload, { secret, at: timestamp - now / 1000 })
    const headers = { 'stripe-signature': header }
    return { method: 'POST', headers, query: '', body: Buffer.from(payload) } as PaymentCallback
  }
  const paidBy =
    (over: JsonObject) =>
    ({ orderNo, amountMinor, currency, at }: PaidFacts, secrets?: JsonObject) => {
      const amounts = { amount_total: Number(amountMinor), currency: currency.toLowerCase() }
      const object = session({ client_reference_id: orderNo, ...amounts, ...over })
      return callback('checkout.session.completed', object, at, secrets)
    }
  function renewed({ amountMinor, currency, at, nth }: RenewedFacts, secrets?: JsonObject) {
    const amount = Number(amountMinor)
    const invoice = {
      ...{ id: `in_${nth}`, object: 'invoice', billing_reason: 'subscription_cycle' },
      ...{ total: amount, amount_paid: amount, currency: currency.toLowerCase() },
      parent: { subscription_details: { subscription: 'sub_1', metadata } },
    }
    return callback('invoice.paid', invoice, at, secrets)
  }
  function charging() {
    const state = stripeState()
    return {
      script: stripeApi(state),
      taken: () => BigInt(takenBy(state)),
      forget: () => state.keys.clear(),
      decline(message: string) {
        state.next = { code: 'card_declined', message }
      },
    }
  }
  const subscription = { id: 'sub_1', object: 'subscription', status: 'active', customer: 'cus_1' }
  const amounts = [
    { currency: 'USD', amountMinor: 7000n, written: '7000' },
    { currency: 'JPY', amountMinor: 1050n, written: '1050', settings: { currency: 'JPY' } },
    { currency: 'KWD', amountMinor: 1050n, written: '1050', settings: { currency: 'KWD' } },
  ]

  conforming(t, {
    manifest: manifestOf('stripe'),
    create: createStripe,
    settings,
    required: ['key', 'webhookSecret'],
    checkout: { provider: stripeApi(stripeState()), amounts },
    callbacks: {
      ...{ secrets: ['webhookSecret'], currency: 'USD', toleranceSeconds: 300 },
      paid: paidBy({}),
    },
    lookup: {
      reference: 'cs_test_1',
      paid: () => ({ json: session({}) }),
      unpaid: () => ({ json: session({ status: 'open', payment_status: 'unpaid' }) }),
    },
    refund: { reference: 'pi_1', provider: stripeApi(stripeState()) },
    recurring: {
      provider: stripeApi(stripeState()),
      amounts,
      agreement: 'sub_1',
      first: paidBy({
        ...{ mode: 'subscription', payment_intent: null, invoice: 'in_1', subscription: 'sub_1' },
      }),
      renewed,
      ended: ({ at }, secrets) =>
        callback('customer.subscription.deleted', { ...subscription, metadata }, at, secrets),
      ending: () => stripeApi(stripeState({ subscriptions: { sub_1: subscription } })),
    },
    charge: {
      mandate: 'cus_1',
      amounts,
      agreed: paidBy({ customer: 'cus_1', customer_creation: 'always' }),
      provider: charging,
    },
    portal: {
      requests: [{ agreement: 'sub_1' }, { mandate: 'cus_1' }],
      provider: stripeApi(stripeState({ subscriptions: { sub_1: subscription } })),
    },
  })
})

t.test('bank transfer', async (t) => {
  conforming(t, {
    manifest: manifestOf('offline'),
    create: createOffline,
    settings: { instructions: 'Pay {amount} {currency}, reference {order}.', currency: 'USD' },
    required: ['instructions'],
    checkout: {
      amounts: [
        { currency: 'USD', amountMinor: 7000n, written: '70.00' },
        { currency: 'JPY', amountMinor: 1050n, written: '1050' },
        { currency: 'KWD', amountMinor: 1050n, written: '1.050' },
      ],
    },
  })
})
