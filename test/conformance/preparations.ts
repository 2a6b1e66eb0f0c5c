/**
 * Calls a provider makes before the one of its operation (`Adapter.prepare`), e.g. uploads: which ones, and what becomes of the body. They
 * are answered by the cases of the provider; then by nothing, by every refusal and by garbage, none of which may do harm.
 */
import assert from 'node:assert/strict'
import type { Body } from '../../kernel/contract/body.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { OperationName } from '../../kernel/contract/names.js'
import type { WholeAnswer } from '../../kernel/contract/operation.js'
import type {
  Adapter,
  ChannelView,
  Credentials,
  UpstreamRequest,
} from '../../kernel/contract/provider.js'
import { isAddressed, isPrepared } from '../../kernel/registry/provider-shapes.js'
import { bytesOf } from '../../kernel/toolkit/body/index.js'
import { frozen, type TestFunction } from './kit.js'
import { assertAtHosts, assertKeyInHeaders } from './outgoing-request.js'
import { assertSafe, bodies } from './refusals.js'

/** A call that is expected, and what it gets. */
export interface PreparingCall {
  /** Address, with its query; what it begins with is enough. */
  readonly url: string
  readonly method?: UpstreamRequest['method']
  /** What its body holds somewhere, e.g. the bytes of a file. */
  readonly holds?: readonly (string | Buffer)[]
  readonly answer: {
    readonly status: number
    readonly headers?: Readonly<Record<string, string>>
    readonly json?: JsonObject
    readonly text?: string
  }
}

export interface PreparationCase {
  readonly name: string
  readonly operation: OperationName
  /** Which of several adapters. Absent: the first. */
  readonly format?: Adapter['format']
  /** The body as the override leaves it. */
  readonly wire: JsonObject | Body
  readonly model?: string
  /** In the order they are made. */
  readonly calls: readonly PreparingCall[]
  /** JSON that goes out in the end. Absent: a failure. */
  readonly json?: JsonObject
  /** Whose fault the failure is. */
  readonly blame?: 'client' | 'channel' | 'upstream'
}

export interface PreparationTerms {
  readonly adapter: Adapter
  readonly channel: ChannelView
  readonly credentials: Credentials
  readonly hosts: readonly string[]
}

export function conformingPreparation(
  test: TestFunction,
  terms: PreparationTerms,
  one: PreparationCase,
): void {
  const { name, calls } = one
  test(`prepare ${name}: these calls, and this body, each time alike`, async () => {
    await assertCase(terms, one)
    await assertCase(terms, one)
  })
  if (calls.length === 0) return
  test(`prepare ${name}: what is refused, or no answer at all, is a failure that holds no key`, async () => {
    for (const status of [200, 400, 401, 403, 404, 413, 415, 429, 500, 503]) {
      for (const [what, body] of Object.entries(bodies)) {
        const { result } = await run(terms, one, () => ({ status, headers: {}, body }))
        const title = `${what} with status ${status}`
        assert.ok('failure' in result, `it was taken for a success: ${title}`)
        assertSafe(result.failure, result.failure.status, title)
        if (status === 200) assert.notEqual(result.failure.blame, 'client', title)
      }
    }
  })
  test(`prepare ${name}: what the call came to passes on`, async () => {
    const broken = new Error('nothing came back')
    await assert.rejects(
      run(terms, one, () => Promise.reject(broken)),
      (error) => error === broken,
    )
  })
}

/** Adapters that do nothing before a call that needs nothing. */
export function conformingIdle(
  test: TestFunction,
  terms: PreparationTerms,
  { title, wire, model }: { readonly title: string; readonly wire: Body; readonly model: string },
): void {
  test(`${title}: nothing goes before a call that needs nothing, and its body stays the same`, async () => {
    const { given, result } = await run(terms, { wire, model }, () =>
      assert.fail('it makes a call'),
    )
    assert.equal(result, given)
  })
}

type Answering = (request: UpstreamRequest, index: number) => WholeAnswer | Promise<WholeAnswer>

async function run(
  { adapter, channel, credentials, hosts }: PreparationTerms,
  { wire, model = 'model' }: Pick<PreparationCase, 'wire' | 'model'>,
  answer: Answering,
) {
  let made = 0
  async function fetch(request: UpstreamRequest): Promise<WholeAnswer> {
    assert.ok(isAddressed(request), 'what it calls is no call')
    assertAtHosts(request, channel, hosts)
    assertKeyInHeaders(request, credentials)
    for (const name of Object.keys(request.headers)) assert.equal(name, name.toLowerCase())
    return answer(request, made++)
  }
  const context = { now: 1_767_225_600_000, model, fetch }
  const given = frozen(bodyOf(wire))
  const result = await adapter.prepare!(given, frozen(channel), frozen(credentials), context)
  assert.ok(isPrepared(result), 'it returns neither a body nor a failure')
  return { given, result }
}

async function assertCase(terms: PreparationTerms, one: PreparationCase): Promise<void> {
  const { calls, json, blame } = one
  const made: UpstreamRequest[] = []
  const { result } = await run(terms, one, (request, index) => {
    made.push(request)
    const call = calls[index]
    assert.ok(call, `call ${index + 1} is not expected: ${request.url}`)
    assertCall(request, call)
    const { status, headers = {}, json: body, text = JSON.stringify(body ?? {}) } = call.answer
    return { status, headers, body: Buffer.from(text) }
  })
  assert.equal(made.length, calls.length, 'calls that were expected are missing')
  if ('failure' in result) {
    assert.equal(json, undefined, `it failed: ${result.failure.message}`)
    assertSafe(result.failure, result.failure.status, one.name)
    if (blame !== undefined) assert.equal(result.failure.blame, blame)
    return
  }
  assert.ok(json, 'it should have been a failure')
  assert.equal(result.kind, 'json')
  if (result.kind !== 'json') return
  // What goes out are bytes: a body that keeps those of another value would send that.
  assert.deepEqual(JSON.parse(bytesOf(result).toString()), json)
}

function assertCall(request: UpstreamRequest, { url, method = 'POST', holds = [] }: PreparingCall) {
  assert.equal(request.method, method)
  assert.ok(request.url.startsWith(url), `${request.url} does not begin with ${url}`)
  const body = Buffer.from(request.body ?? '')
  for (const piece of holds) assert.ok(body.includes(piece), `its body lacks ${piece}`)
}

export function bodyOf(wire: JsonObject | Body): Body {
  const kinds: readonly unknown[] = ['json', 'form', 'none']
  return kinds.includes(wire.kind) ? (wire as Body) : { kind: 'json', value: wire as JsonObject }
}
