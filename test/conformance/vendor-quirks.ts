/**
 * What one vendor refuses of requests that others take, as a table: a request of a client that breaks the rule, and the proof that
 * what the provider sends of it does not. Each rule names where it was read and when.
 */
import assert from 'node:assert/strict'
import { isObject, type JsonObject } from '../../kernel/contract/json.js'
import type { OperationName } from '../../kernel/contract/names.js'
import type { Adapter, ChannelView } from '../../kernel/contract/provider.js'
import { frozen, type TestFunction } from './kit.js'

export interface VendorFact {
  /** Where it is written: an address without its scheme. */
  readonly source: string
  /** Day of reading, `YYYY-MM-DD`. */
  readonly read: string
}

export interface VendorQuirk extends VendorFact {
  /** What the vendor wants, as a sentence. */
  readonly rule: string
  /** Absent: chat. */
  readonly operation?: OperationName
  /** Which of several adapters. Absent: the first. */
  readonly format?: Adapter['format']
  /** As a client of the adapter's own format sends it, and this vendor would refuse it. */
  readonly wire: JsonObject
  /** As the upstream knows it. Absent: the JSON's own. */
  readonly model?: string
  /** Whether the vendor would refuse this body. */
  broken(body: JsonObject): boolean
  /** What the client loses by it, as `X-Waybill-Lost` names it. Absent: nothing. */
  readonly lost?: readonly string[]
}

export function conformingQuirk(test: TestFunction, { adapter, channel, quirk }: QuirkBench): void {
  test(`rule of the vendor: ${quirk.rule}`, () => {
    assertDated(quirk)
    assert.ok(quirk.broken(quirk.wire), 'the request of the client breaks the rule')
    const { body, lost } = outgoing(adapter, channel, quirk)
    assert.ok(!quirk.broken(body), `what goes out does not: ${JSON.stringify(body)}`)
    assert.deepEqual([...lost].sort(), [...(quirk.lost ?? [])].sort(), 'what the client loses')
  })
}

export interface QuirkBench {
  readonly adapter: Adapter
  readonly channel: ChannelView
  readonly quirk: VendorQuirk
}

export function assertDated({ source, read }: VendorFact): void {
  assert.ok(source.trim() !== '', 'a fact names its source')
  assert.match(read, /^\d{4}-\d{2}-\d{2}$/, 'and the day it was read')
}

/** The JSON as the gateway sends it, and what of it is lost: members that are refused go first, then comes `adjust`. */
export function outgoing(
  adapter: Adapter,
  channel: ChannelView,
  { wire, model = modelIn(wire) }: Pick<VendorQuirk, 'wire' | 'model'>,
): { readonly body: JsonObject; readonly lost: readonly string[] } {
  const lost = adapter.refuses?.(frozen(wire), frozen(channel), model) ?? []
  const kept = Object.fromEntries(Object.entries(wire).filter(([name]) => !lost.includes(name)))
  const adjusted = adapter.adjust?.(frozen(kept), frozen(channel)) ?? kept
  const context = { now: 0, forwarded: { headers: {} }, model, stream: wire.stream === true }
  const { body } = adapter.address(
    frozen({ kind: 'json', value: adjusted }),
    frozen(channel),
    frozen({ key: 'key', token: 'token' }),
    context,
  )
  const written = body === undefined ? adjusted : parsed(String(body))
  return { body: written, lost }
}

function modelIn({ model }: JsonObject): string {
  return typeof model === 'string' ? model : 'model'
}

function parsed(text: string): JsonObject {
  const value: unknown = JSON.parse(text)
  assert.ok(isObject(value), 'what goes out is a JSON object')
  return value as JsonObject
}
