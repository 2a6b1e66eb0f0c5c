/**
 * Exchanges with a vendor, whole: what a client sends, what the vendor was sent or documents, what it returned, and what the provider
 * makes of that. They stand in a folder as `*.exchange.json`, each with its source and the day it was read or recorded.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import type { Event } from '../../kernel/contract/event.js'
import type { Format } from '../../kernel/contract/format.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { OperationName } from '../../kernel/contract/names.js'
import type { WholeAnswer } from '../../kernel/contract/operation.js'
import type { Adapter, ChannelView } from '../../kernel/contract/provider.js'
import { assertDecoded, type DecodedResponse, readAnswer } from './decoded-response.js'
import { frozen, run, type TestFunction } from './kit.js'
import { assertDated, outgoing, type VendorFact } from './vendor-quirks.js'

export interface VendorExchange extends VendorFact {
  readonly name: string
  readonly operation: OperationName
  /** Which of several adapters. Absent: the first. */
  readonly format?: Adapter['format']
  /** As a client of the adapter's own format sends it. */
  readonly wire: JsonObject
  readonly model?: string
  /** What the vendor is sent of it: the path behind the base URL, query included, and the JSON. */
  readonly request: { readonly path: string; readonly body: JsonObject }
  readonly answer: {
    /** Absent: 200. */
    readonly status?: number
    /** Absent: those of JSON, or of server-sent events where the body is a text. */
    readonly headers?: Readonly<Record<string, string>>
    /** A text is the stream as it came. */
    readonly body: JsonObject | string
  }
  /** What it comes to: an answer of chat, the blame of a failure, or the JSON of another operation. */
  readonly expected: DecodedResponse | { readonly json: JsonObject }
}

/** All exchanges of a folder, by name. Throws where one is no JSON. */
export function exchangesIn(folder: URL): readonly VendorExchange[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.exchange.json'))
  return files.sort().map((file) => {
    const text = readFileSync(new URL(file, folder), 'utf8')
    return { name: file.replace('.exchange.json', ''), ...JSON.parse(text) }
  })
}

export interface ExchangeBench {
  readonly adapter: Adapter
  readonly channel: ChannelView
  readonly exchange: VendorExchange
  /** The format of the adapter. Absent: it has a form of its own. */
  readonly format?: Format
}

export function conformingExchange(test: TestFunction, bench: ExchangeBench): void {
  const { adapter, channel, exchange } = bench
  test(`exchange ${exchange.name}: the vendor is sent what it was sent then`, () => {
    assertDated(exchange)
    const { wire, model = String(wire.model) } = exchange
    const sent = outgoing(adapter, channel, shapedOf(bench))
    assert.deepEqual(sent.body, exchange.request.body)
    const context = { now: 0, forwarded: { headers: {} }, model, stream: wire.stream === true }
    const body = { kind: 'json', value: sent.body } as const
    const { url } = adapter.address(body, channel, { key: 'key', token: 'token' }, context)
    assert.equal(url, channel.baseUrl + exchange.request.path)
  })
  test(`exchange ${exchange.name}: its answer is read as it was meant`, () => readAs(bench))
}

function shapedOf({ adapter, channel, exchange }: ExchangeBench) {
  const { wire, model = String(wire.model) } = exchange
  if (adapter.shape === undefined) return { wire, model }
  const shaped = adapter.shape(frozen({ kind: 'json', value: wire }), frozen(channel), model)
  assert.equal(shaped.kind, 'json', 'an exchange is of JSON')
  return { wire: shaped.kind === 'json' ? shaped.value : {}, model }
}

function readAs(bench: ExchangeBench): void {
  const { adapter, exchange } = bench
  const { expected, operation } = exchange
  const { status = 200, headers, body } = exchange.answer
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const whole = { status, headers: headers ?? { 'content-type': typeOf(body) }, body: bytes }
  if (status > 299) {
    const { blame } = adapter.fail(status, frozen(whole.headers), bytes)
    assert.deepEqual({ failure: blame }, expected)
  } else if (operation === 'chat') {
    assertDecoded(readAnswer(eventsOf(bench, bytes)), expected as DecodedResponse)
  } else assert.deepEqual(operationAnswer(bench, whole), expected)
}

function operationAnswer({ adapter, exchange }: ExchangeBench, whole: WholeAnswer) {
  const { wire, model = String(wire.model), answer } = exchange
  const requested = { kind: 'json', value: wire } as const
  const read = adapter.answer?.(frozen(whole), frozen(requested), model) ?? {
    json: answer.body as JsonObject,
  }
  return 'failure' in read ? { failure: read.failure.blame } : read
}

function typeOf(body: JsonObject | string): string {
  return typeof body === 'string' ? 'text/event-stream' : 'application/json'
}

function eventsOf({ adapter, exchange, format }: ExchangeBench, bytes: Buffer): readonly Event[] {
  const { body } = exchange.answer
  if (format !== undefined && typeof body !== 'string') return format.decodeReply(body)
  const frames = adapter.unframe?.()
  const pieces = frames === undefined ? [bytes] : run(frames, [bytes])
  return run(adapter.read?.() ?? format!.decodeStream(), pieces)
}
