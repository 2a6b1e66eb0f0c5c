/** One payment gateway on the bench: created with settings, its provider behind it as a script. */
import assert from 'node:assert/strict'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { CheckoutOrder, PaymentGateway } from '../../kernel/contract/payment.js'
import { declaredSettings } from '../../kernel/registry/declared-settings.js'
import { readManifest } from '../../kernel/registry/manifest.js'
import { type OutgoingWorld, outgoingWorld, type Script } from './outgoing.js'
import type { PaymentSubject } from './payment.js'

export interface PaymentBench {
  readonly gateway: PaymentGateway
  readonly world: OutgoingWorld
  /** Among the settings. */
  readonly secrets: readonly string[]
}

export interface PaymentBenchOptions {
  /** In place of some of the subject's. */
  readonly settings?: JsonObject
  readonly script?: Script
}

export const noon = Date.UTC(2026, 0, 31, 12)

export const order: CheckoutOrder = {
  ...{ orderNo: 'c0ffee'.repeat(5), amountMinor: 7000n, currency: 'CNY' },
  ...{ title: '10 units of credit', payer: { id: 7 } },
  returnUrl: 'https://gate.example/wallet?order=1',
  cancelUrl: 'https://gate.example/wallet?order=1&left=true',
  callbackUrl: 'https://gate.example/api/payment/acme/callback',
  expiresAt: noon + 3_600_000,
}

export function paymentBench(
  subject: Pick<PaymentSubject, 'manifest' | 'create' | 'settings' | 'now'>,
  { settings = {}, script = () => undefined }: PaymentBenchOptions = {},
): PaymentBench {
  const manifest = readManifest(subject.manifest, 'manifest.json')
  const values: JsonObject = { ...subject.settings, ...settings }
  const fields = manifest.settings.map((field) =>
    Object.hasOwn(values, field.name) ? { ...field, default: values[field.name] } : field,
  )
  const declared = declaredSettings({ ...manifest, settings: fields })
  const world = outgoingWorld({ manifest, settings: declared, script, now: subject.now ?? noon })
  const secrets = manifest.settings
    .filter(({ type }) => type === 'secret')
    .flatMap(({ name }) => String(values[name] ?? '').trim() || [])
  return { gateway: subject.create(world.kit), world, secrets }
}

/** Neither what leaves the gateway nor its log holds a secret of the settings. */
export function assertQuiet({ world, secrets }: PaymentBench, text: string): void {
  const shown = [text, ...world.logged].join('\n')
  for (const secret of secrets) {
    assert.ok(!shown.includes(secret), 'no secret is shown or logged')
  }
}
