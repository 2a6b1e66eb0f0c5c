/** Refusals of an upstream: each is a failure of the right blame, whatever its body, and a sentence without secrets (ERR-2). */
import assert from 'node:assert/strict'
import type { Failure } from '../../kernel/contract/failure.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { AdapterBase } from '../../kernel/contract/provider.js'
import { catalogue } from '../../kernel/toolkit/errors/refusal.js'
import { frozen, type TestFunction } from './kit.js'

/** A key that cannot be missed where it must not be. */
export const key = 'sk-conformance-Zq81mVb07RtYxw5NcE3kLpHsD9'

/** One only this upstream words this way, and whose fault it is. */
export interface RefusalCase {
  readonly status: number
  readonly body: JsonObject
  readonly blame: Failure['blame']
}

/** Statuses the gateway's retries depend on (S18). 408 may be anybody's fault. */
const blames: readonly (readonly [status: number, blame: Failure['blame'] | undefined])[] = [
  [400, 'client'],
  [401, 'channel'],
  [403, 'channel'],
  [404, 'channel'],
  [408, undefined],
  [409, 'channel'],
  [413, 'client'],
  [422, 'client'],
  [429, 'channel'],
  [500, 'upstream'],
  [502, 'upstream'],
  [503, 'upstream'],
  [504, 'upstream'],
  [529, 'upstream'],
]

const leaky = `Bad key ${key} at https://internal.example:8443/v1?key=${key} (10.0.0.7)`

/** What may stand in place of an answer. */
export const bodies: Readonly<Record<string, Buffer>> = {
  'an error': Buffer.from(JSON.stringify({ error: { message: leaky, type: 'x', code: null } })),
  'an error of its own shape': Buffer.from(JSON.stringify({ message: leaky, detail: [leaky] })),
  'a page': Buffer.from(`<!doctype html><html><title>502</title>${leaky}</html>`),
  garbage: Buffer.from([0xff, 0xfe, 0x00, 0x7b, 0x22, 0x80]),
  'half a JSON': Buffer.from(`{"error":{"message":"${leaky}`),
  'another JSON': Buffer.from('[null,"x",12]'),
  'a long one': Buffer.alloc(1024 * 1024, 'x'),
  nothing: Buffer.alloc(0),
}

export function conformingRefusals(
  test: TestFunction,
  what: string,
  adapter: Pick<AdapterBase, 'fail'>,
): void {
  for (const [status, blame] of blames) {
    test(`${what}: a ${status} is a failure, whatever its body`, () => {
      for (const [name, body] of Object.entries(bodies)) {
        const failure = adapter.fail(status, frozen({ 'content-type': 'text/html' }), body)
        assertSafe(failure, status, name)
        if (blame !== undefined) assert.equal(failure.blame, blame, name)
        assert.deepEqual(adapter.fail(status, { 'content-type': 'text/html' }, body), failure)
      }
    })
  }
  test(`${what}: a 429 states how long to stay away`, () => {
    const headers = frozen({ 'retry-after': '7' })
    assert.equal(adapter.fail(429, headers, bodies.nothing!).retryAfterMs, 7000)
    assert.equal(adapter.fail(429, {}, bodies.nothing!).retryAfterMs, undefined)
  })
}

export function conformingRefusal(
  test: TestFunction,
  what: string,
  adapter: Pick<AdapterBase, 'fail'>,
  { status, body, blame }: RefusalCase,
): void {
  test(`${what}: ${JSON.stringify(body).slice(0, 80)} is the fault of the ${blame}`, () => {
    const failure = adapter.fail(status, {}, Buffer.from(JSON.stringify(body)))
    assertSafe(failure, status, 'refusal')
    assert.equal(failure.blame, blame)
  })
}

/** A failure that was read out of an answer that seemed fine. */
export function assertReadFailure(failure: Failure): void {
  assertSafe(failure, failure.status, 'a failure')
  const { status } = failure
  assert.ok(Number.isInteger(status) && status >= 0 && status <= 599, `the status is ${status}`)
}

/** What the client may receive: a sentence without key, address or markup (ERR-2). */
export function assertSafe(failure: Failure, status: number, name: string): void {
  const message = JSON.stringify(failure)
  assert.equal(failure.status, status, `${name}: the original status stays`)
  assert.ok(Object.hasOwn(catalogue, failure.code), `${name}: the code is of the catalogue`)
  assert.ok(failure.message.length > 0 && failure.message.length < 2000, `${name}: one sentence`)
  for (const secret of [key, 'internal.example', '10.0.0.7', '<html']) {
    assert.ok(!message.includes(secret), `${name}: "${secret}" reaches the client`)
  }
}
