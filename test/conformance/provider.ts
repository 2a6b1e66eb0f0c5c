/**
 * The conformance kit of providers. A provider brings its manifest, calls it would address and replies recorded from
 * its upstream; the kit plays the gateway: it addresses twice, cuts streams anywhere and answers with every error.
 */
import assert from 'node:assert/strict'
import type { Body } from '../../kernel/contract/body.js'
import type { Event } from '../../kernel/contract/event.js'
import type { Format, Transform } from '../../kernel/contract/format.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { FormatName, OperationName } from '../../kernel/contract/names.js'
import type {
  Adapter,
  AddressContext,
  ChannelView,
  Credentials,
  Provider,
  UpstreamRequest,
} from '../../kernel/contract/provider.js'
import { readManifest } from '../../kernel/registry/manifest.js'
import { builtInFormat } from './built-in-formats.js'
import type { DecodedResponse } from './decoded-response.js'
import { assertWellFormed } from './events.js'
import {
  conformingManifest,
  created,
  cuttings,
  frozen,
  run,
  runKit,
  type Subject,
  type TestFunction,
  type TestRunner,
} from './kit.js'
import { assertAtHosts, assertKeyInHeaders } from './outgoing-request.js'
import { conformingOwnForm, type WriteCase } from './own-form.js'
import {
  bodyOf,
  conformingIdle,
  conformingPreparation,
  type PreparationCase,
} from './preparations.js'
import {
  assertSafe,
  conformingRefusal,
  conformingRefusals,
  key,
  type RefusalCase,
} from './refusals.js'
import { conformingInquiries, type InquiryCase } from './upstream-queries.js'
import { conformingExchange, type VendorExchange } from './vendor-exchanges.js'
import { conformingQuirk, type VendorQuirk } from './vendor-quirks.js'

export interface ProviderSubject extends Subject<Provider> {
  /** The formats the adapters name. Absent: those that come with the gateway. */
  readonly formats?: (name: FormatName) => Format
  /** Origin to test with where the manifest has no default. */
  readonly baseUrl?: string
  /** Fields of a channel, as an admin would set them. */
  readonly settings?: JsonObject
  /** What one call carries where the key is exchanged or is more than one word. Absent: a key that cannot be missed. */
  readonly credentials?: Credentials
  /** Outgoing bodies per operation; each is addressed. */
  readonly calls: readonly ProviderCall[]
  /** Streams recorded from this upstream. */
  readonly streams: readonly {
    readonly name: string
    readonly operation: OperationName
    /** Which of several adapters. Absent: the first. */
    readonly format?: Adapter['format']
    readonly bytes: Buffer
    /** What it states; needed where the provider reads a chat form of its own. */
    readonly expected?: DecodedResponse
  }[]
  /** Calls and what becomes of them; needed where the provider writes a chat form of its own. */
  readonly writes?: readonly WriteCase[]
  /** Whole answers recorded from this upstream, for adapters with `answer`. */
  readonly answers?: readonly ProviderAnswer[]
  /** Calls that go before those of an operation, for adapters with `prepare`. */
  readonly preparations?: readonly PreparationCase[]
  /** Answers of this upstream to questions for its models and balance. */
  readonly inquiries?: readonly InquiryCase[]
  /** Exchanges with this upstream, whole; `exchangesIn` reads a folder of them. */
  readonly exchanges?: readonly VendorExchange[]
  /** What this upstream refuses of requests that others take. */
  readonly quirks?: readonly VendorQuirk[]
  /** Refusals only this upstream words this way, and whose fault they are. */
  readonly refusals?: readonly ({ readonly operation: OperationName } & RefusalCase)[]
}

interface ProviderCall {
  readonly operation: OperationName
  /** Which of several adapters. Absent: the first. */
  readonly format?: Adapter['format']
  /** What the gateway would send, in the operation's form; a JSON object or a whole body. */
  readonly wire: JsonObject | Body
  /** Absent: the JSON's own, else `model`. */
  readonly model?: string
}

interface ProviderAnswer {
  readonly name: string
  readonly operation: OperationName
  /** What the client queried. */
  readonly request: JsonObject | Body
  readonly body: Buffer | JsonObject
  readonly headers?: Readonly<Record<string, string>>
  /** What becomes of it: JSON in the operation's form, or the content type of its bytes. Absent: a failure. */
  readonly json?: JsonObject
  readonly type?: string
}

/** Names every test at once; the promise resolves when they have ended. */
export function conformingProvider(runner: TestRunner, subject: ProviderSubject): Promise<void> {
  return runKit(runner, (test) => conforming(test, subject))
}

function conforming(test: TestFunction, subject: ProviderSubject): void {
  conformingManifest(test, subject.manifest, 'provider')
  const provider = servingOwnForms(created(subject), channelsOf(subject)[0])
  for (const channel of channelsOf(subject)) conformingChannel(test, provider, subject, channel)
  test('every operation with an adapter has a call', () => {
    const called = new Set(subject.calls.map(({ operation }) => operation))
    const missing = Object.keys(provider.operations).filter((name) => !called.has(name as never))
    assert.deepEqual(missing, [])
  })
  for (const [operation, adapter] of adaptersOf(provider)) {
    conformingAdapter(test, operation, adapter)
  }
  conformingInquiries(test, {
    provider,
    channels: channelsOf(subject),
    hosts: readManifest(subject.manifest, 'manifest.json').hosts,
    credentials: credentialsOf(subject),
    cases: subject.inquiries ?? [],
  })
  conformingReplays(test, provider, subject)
  conformingForm(test, provider, subject)
  conformingAnswers(test, provider, subject)
  conformingVendor(test, provider, subject)
  conformingPreparations(test, provider, subject)
  for (const [operation, adapter] of adaptersOf(provider)) {
    conformingRefusals(test, operation, adapter)
  }
  for (const one of subject.refusals ?? []) {
    conformingRefusal(test, one.operation, adapterOf(provider, one.operation), one)
  }
}

/** What is known of the vendor itself. */
function conformingVendor(test: TestFunction, provider: Provider, subject: ProviderSubject): void {
  const { formats = builtInFormat, quirks = [], exchanges = [] } = subject
  const [channel] = channelsOf(subject)
  if (channel === undefined) return
  for (const quirk of quirks) {
    const adapter = adapterOf(provider, quirk.operation ?? 'chat', quirk.format)
    conformingQuirk(test, { adapter, channel, quirk })
  }
  for (const exchange of exchanges) {
    const adapter = adapterOf(provider, exchange.operation, exchange.format)
    const hasFormat = exchange.operation === 'chat' && adapter.format !== 'own'
    const format = hasFormat ? formats(formatOf(adapter)) : undefined
    conformingExchange(test, { adapter, channel, exchange, ...(format && { format }) })
  }
}

function channelsOf(subject: ProviderSubject): ChannelView[] {
  const { channelTypes, channelSettings } = readManifest(subject.manifest, 'manifest.json')
  const defaults = Object.fromEntries(
    channelSettings
      .filter((field) => field.default !== undefined)
      .map((field) => [field.name, field.default]),
  )
  return channelTypes.map(({ id, baseUrl }) => ({
    id: 1,
    type: id,
    baseUrl: baseUrl || (subject.baseUrl ?? 'https://upstream.example'),
    settings: { ...defaults, ...subject.settings },
  }))
}

function conformingChannel(
  test: TestFunction,
  provider: Provider,
  subject: ProviderSubject,
  channel: ChannelView,
): void {
  for (const [index, call] of subject.calls.entries()) {
    const { operation } = call
    const adapter = adapterOf(provider, operation, call.format)
    if (adapter.socket !== undefined) continue
    const wire = sent(adapter, call, channel)
    const at = (place: ChannelView) => address(adapter, { ...call, wire }, place, subject)
    const title = `type ${channel.type}, ${operation}, call ${index + 1}`
    test(`${title}: addressed twice alike, nothing changed`, () =>
      addressedTwice(at, channel, subject))
    test(`${title}: sent in parts, each part is addressed and splits no further`, () => {
      const { model = modelOf(wire) } = call
      const parts = adapter.split?.(frozen(wire), model) ?? []
      assert.ok(adapter.split === undefined || parts.length > 0, 'at least one part')
      for (const part of parts) {
        addressedTwice(
          () => address(adapter, { ...call, model, wire: part }, channel, subject),
          channel,
          subject,
        )
        assert.equal(adapter.split!(part, model).length, 1)
      }
    })
    test(`${title}: the key stands in headers only`, () =>
      assertKeyInHeaders(at(channel), credentialsOf(subject)))
    test(`${title}: a base URL with a slash or a version is the same place`, () => {
      const { url } = at(channel)
      if (!url.startsWith(channel.baseUrl)) return
      const ends = takesWhole(channel, subject) ? ['/'] : ['/', '/v1', '/v1/']
      for (const end of ends) {
        const spelled = { ...channel, baseUrl: `${channel.baseUrl}${end}` }
        assert.equal(at(spelled).url, url, end)
      }
    })
    test(`${title}: explicit 0, "" and false pass, omitted stays omitted`, () => {
      const explicit = {
        ...(wire.kind === 'json' && wire.value),
        x_zero: 0,
        x_empty: '',
        x_false: false,
      }
      const adjusted = adapter.adjust?.(frozen(explicit), frozen(channel)) ?? explicit
      assert.deepEqual(
        [adjusted.x_zero, adjusted.x_empty, adjusted.x_false],
        [0, '', false],
        'explicit values pass',
      )
      const again = adapter.adjust?.(frozen(adjusted), frozen(channel)) ?? adjusted
      assert.deepEqual(again, adjusted, 'adjusting twice is adjusting once')
    })
  }
}

/** A version is a part of the path where a base URL is taken as it is written. */
function takesWhole({ type }: ChannelView, { manifest }: ProviderSubject): boolean {
  const { channelTypes } = readManifest(manifest, 'manifest.json')
  return channelTypes.some(({ id, address: kind }) => id === type && kind === 'whole')
}

type AddressAt = (place: ChannelView) => UpstreamRequest

function addressedTwice(at: AddressAt, channel: ChannelView, { manifest }: ProviderSubject): void {
  const first = at(channel)
  assert.deepEqual(at(channel), first)
  const { hosts } = readManifest(manifest, 'manifest.json')
  assertAtHosts(first, channel, hosts)
}

function credentialsOf({ credentials }: ProviderSubject): Credentials {
  return credentials ?? { key }
}

/** What the gateway would send: in a shape of the upstream's own where it has one. */
function sent(adapter: Adapter, { wire, model }: ProviderCall, channel: ChannelView): Body {
  const body = bodyOf(wire)
  return adapter.shape?.(frozen(body), frozen(channel), model ?? modelOf(body)) ?? body
}

function modelOf(body: Body): string {
  const named = body.kind === 'json' ? body.value.model : undefined
  return typeof named === 'string' ? named : 'model'
}

/** Everything it is given is frozen: a write throws. */
function address(
  adapter: Adapter,
  { wire, model }: ProviderCall,
  channel: ChannelView,
  subject: ProviderSubject,
): UpstreamRequest {
  const body = bodyOf(wire)
  const context: AddressContext = {
    now: 1_767_225_600_000,
    forwarded: { headers: {} },
    model: model ?? modelOf(body),
    stream: body.kind === 'json' && body.value.stream === true,
  }
  const credentials = frozen(credentialsOf(subject))
  return adapter.address(frozen(body), frozen(channel), credentials, frozen(context))
}

const secretHeaders = ['authorization', 'cookie', 'x-api-key', 'proxy-authorization', 'host']

function conformingAdapter(test: TestFunction, operation: string, adapter: Adapter): void {
  test(`${operation}: asks for no header that is the client's own business`, () => {
    for (const name of adapter.forwards ?? []) {
      assert.equal(name, name.toLowerCase())
      assert.ok(!secretHeaders.includes(name), name)
    }
  })
  if (adapter.format !== 'own') return
  if (operation !== 'chat' && !operation.startsWith('chat ')) {
    test(`${operation}: a form of its own is written and read`, () => {
      assert.equal(typeof adapter.shape, 'function')
      assert.equal(typeof adapter.answer, 'function')
    })
    return
  }
  test(`${operation}: a format of its own is written and read`, () => {
    assert.equal(typeof adapter.encode, 'function')
    assert.equal(typeof adapter.read, 'function')
  })
}

/** Of chat in a form of its own; nothing where there is none. */
function conformingForm(test: TestFunction, provider: Provider, subject: ProviderSubject): void {
  const adapter = listOf(provider.operations.chat ?? []).find(({ format }) => format === 'own')
  const [channel] = channelsOf(subject)
  if (adapter === undefined || channel === undefined) return
  const streams = subject.streams.filter(
    ({ operation, format }) =>
      operation === 'chat' && adapterOf(provider, operation, format) === adapter,
  )
  conformingOwnForm(test, {
    id: JSON.parse(subject.manifest).id,
    adapter,
    channel,
    writes: subject.writes ?? [],
    reads: streams.flatMap(({ name, bytes, expected }) =>
      expected ? [{ name, bytes, expected }] : [],
    ),
    withoutExpected: streams
      .filter(({ expected }) => expected === undefined)
      .map(({ name }) => name),
  })
}

function conformingReplays(test: TestFunction, provider: Provider, subject: ProviderSubject): void {
  for (const { name, operation, format, bytes, expected } of subject.streams) {
    const adapter = adapterOf(provider, operation, format)
    const decoder = () => unframing(adapter, readerOf(adapter, subject))
    test(`replay ${name}: the same events at every cut, one end`, () => {
      const events = run(decoder(), [bytes])
      if (expected === undefined || 'stop' in expected) assertWellFormed(events, name)
      for (const { name: cut, pieces } of cuttings(bytes)) {
        assert.deepEqual(run(decoder(), pieces), events, cut)
      }
    })
  }
}

function conformingAnswers(test: TestFunction, provider: Provider, subject: ProviderSubject): void {
  for (const {
    name,
    operation,
    request: requested,
    body,
    headers = {},
    json,
    type,
  } of subject.answers ?? []) {
    test(`answer ${name}: in the form of the operation`, () => {
      const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))
      const whole = frozen({ status: 200, headers })
      const request = frozen(bodyOf(requested))
      const answer = () =>
        adapterOf(provider, operation).answer!({ ...whole, body: bytes }, request, modelOf(request))
      const first = answer()
      assert.deepEqual(answer(), first, 'reading twice is reading once')
      if (json !== undefined) assert.deepEqual(first, { json })
      else if (type !== undefined) assert.equal('type' in first && first.type, type)
      else if ('failure' in first) assertSafe(first.failure, first.failure.status, name)
      else assert.fail('it should have been a failure')
    })
  }
}

function conformingPreparations(
  test: TestFunction,
  provider: Provider,
  subject: ProviderSubject,
): void {
  const [channel] = channelsOf(subject)
  if (channel === undefined) return
  const { hosts } = readManifest(subject.manifest, 'manifest.json')
  const { preparations = [], calls } = subject
  const credentials = credentialsOf(subject)
  for (const [title, adapter] of adaptersOf(provider)) {
    if (adapter.prepare === undefined) continue
    test(`${title}: there are cases of what goes before its calls ("preparations")`, () => {
      const covered = preparations.some(
        ({ operation, format }) => adapterOf(provider, operation, format) === adapter,
      )
      assert.ok(covered)
    })
  }
  for (const one of preparations) {
    const adapter = adapterOf(provider, one.operation, one.format)
    conformingPreparation(test, { adapter, channel, credentials, hosts }, one)
  }
  for (const call of calls) {
    const adapter = adapterOf(provider, call.operation, call.format)
    if (adapter.prepare === undefined) continue
    const wire = sent(adapter, call, channel)
    const title = `${call.operation}, call ${calls.indexOf(call) + 1}`
    const model = call.model ?? modelOf(wire)
    conformingIdle(test, { adapter, channel, credentials, hosts }, { title, wire, model })
  }
}

function readerOf(adapter: Adapter, subject: ProviderSubject): Transform<Buffer, Event> {
  const { formats = builtInFormat } = subject
  return adapter.read?.() ?? formats(formatOf(adapter)).decodeStream()
}

/** As the gateway reads a stream that comes in the upstream's own framing. */
function unframing(adapter: Adapter, reader: Transform<Buffer, Event>): Transform<Buffer, Event> {
  const frames = adapter.unframe?.()
  if (frames === undefined) return reader
  const read = (pieces: readonly Buffer[]) => pieces.flatMap((piece) => reader.push(piece))
  return {
    push: (bytes) => read(frames.push(bytes)),
    flush: () => [...read(frames.flush()), ...reader.flush()],
  }
}

function formatOf({ format }: Adapter): FormatName {
  assert.notEqual(format, 'own', 'an adapter with a format of its own reads it')
  return format as FormatName
}

/** Of several chat forms of the upstream's own, the one that serves a channel set up like this: the others are subjects of their own. */
function servingOwnForms(provider: Provider, channel: ChannelView | undefined): Provider {
  const chat = listOf(provider.operations.chat ?? [])
  if (channel === undefined || chat.filter(({ format }) => format === 'own').length < 2) {
    return provider
  }
  const serving = chat.filter(
    (adapter) => adapter.format !== 'own' || adapter.serves?.(channel, 'model') !== false,
  )
  const operations = { ...provider.operations, chat: serving } as Provider['operations']
  return { ...provider, operations }
}

/** Every adapter, named by its operation, and by its format where an operation has several. */
function adaptersOf(provider: Provider): (readonly [string, Adapter])[] {
  return Object.entries(provider.operations).flatMap(([operation, served]) =>
    listOf(served).map((adapter, _, all): [string, Adapter] => [
      all.length === 1 ? operation : `${operation} (${adapter.format})`,
      adapter,
    ]),
  )
}

/** The adapter of a format; without one, the first. */
export function adapterOf(
  provider: Provider,
  operation: OperationName,
  format?: Adapter['format'],
): Adapter {
  const adapters = listOf(provider.operations[operation] ?? [])
  const adapter = adapters.find((one) => one.format === format) ?? adapters[0]
  assert.ok(adapter, `there is an adapter for ${operation}`)
  return adapter
}

function listOf(served: Adapter | readonly Adapter[]): readonly Adapter[] {
  return Array.isArray(served) ? served : [served as Adapter]
}
