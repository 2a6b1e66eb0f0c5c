/** A payment gateway as the gateway calls it, with settings and a provider that answers by a script. */
import { readFileSync } from 'node:fs'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { OutgoingKit } from '../../../kernel/contract/kit.js'
import type { PaymentCallback, PaymentGateway } from '../../../kernel/contract/payment.js'
import { containedPayment } from '../../../kernel/registry/contained-payment.js'
import { declaredSettings } from '../../../kernel/registry/declared-settings.js'
import { Health } from '../../../kernel/registry/health.js'
import { readManifest } from '../../../kernel/registry/manifest.js'
import { type OutgoingWorld, outgoingWorld, type Script } from '../../conformance/outgoing.js'
import { noon } from '../../conformance/payment-bench.js'

export interface GatewayOptions {
  /** Folder in `plugins/payments`. */
  readonly name: string
  readonly create: (kit: OutgoingKit) => PaymentGateway
  readonly settings: JsonObject
  readonly script?: Script
}

export { noon as now, order } from '../../conformance/payment-bench.js'

export function gatewayOf({ name, create, settings, script }: GatewayOptions): {
  readonly gateway: PaymentGateway
  readonly world: OutgoingWorld
} {
  const file = `plugins/payments/${name}/manifest.json`
  const manifest = readManifest(readFileSync(file, 'utf8'), file)
  const fields = manifest.settings.map((field) =>
    Object.hasOwn(settings, field.name) ? { ...field, default: settings[field.name] } : field,
  )
  const world = outgoingWorld({
    manifest,
    settings: declaredSettings({ ...manifest, settings: fields }),
    script: script ?? (() => undefined),
    now: noon,
  })
  const { kit } = world
  return {
    gateway: containedPayment(create(kit), new Health({ ...manifest, ...kit, isOutside: false })),
    world,
  }
}

export function callbackOf(
  fields: Readonly<Record<string, string>>,
  method: 'GET' | 'POST' = 'GET',
): PaymentCallback {
  const text = new URLSearchParams(fields).toString()
  const isGet = method === 'GET'
  return { method, headers: {}, query: isGet ? text : '', body: Buffer.from(isGet ? '' : text) }
}
