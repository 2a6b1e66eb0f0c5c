/**
 * The conformance kit of formats. A format brings its manifest, requests that use what it can say, replies in both
 * shapes and one call per loss it knows; the kit knows nothing of the format itself.
 */
import assert from 'node:assert/strict'
import type { Call } from '../../kernel/contract/call.js'
import type { ClientError, Format } from '../../kernel/contract/format.js'
import type { Json, JsonObject } from '../../kernel/contract/json.js'
import { Refusal } from '../../kernel/toolkit/errors/refusal.js'
import { conformingStreams, type ReplyCase } from './format-streams.js'
import {
  conformingManifest,
  created,
  frozen,
  runKit,
  type Subject,
  type TestFunction,
  type TestRunner,
} from './kit.js'

export interface FormatSubject extends Subject<Format> {
  /** Requests a client of this format sends; together they use what the format can say. */
  readonly requests: readonly RequestCase[]
  /** Top-level fields that are kept as they are: explicit 0, "" or false, and absent where the client left them out. */
  readonly explicit: readonly (readonly [field: string, value: Json])[]
  /** Bodies `check` refuses, and the field it names. */
  readonly refused: readonly { readonly body: JsonObject; readonly param: string }[]
  readonly replies: readonly ReplyCase[]
  /** The smallest request that loses nothing. */
  readonly plain: Call
  /** The whole table of unsupported fields: one call for each row. */
  readonly losses: readonly LossCase[]
  /** Rows of the format's own table, where it has one as data; each needs a case. */
  readonly lossTable?: readonly { readonly field: string; readonly kind: 'refuse' | 'report' }[]
}

export interface RequestCase {
  readonly name: string
  readonly body: JsonObject
  /** How the format spells it itself. Absent: as it stands. */
  readonly spelled?: JsonObject
}

export interface LossCase {
  readonly field: string
  readonly kind: 'refuse' | 'report'
  readonly call: Partial<Call>
}

/** Names every test at once; the promise resolves when they have ended. */
export function conformingFormat(runner: TestRunner, subject: FormatSubject): Promise<void> {
  return runKit(runner, (test) => conforming(test, subject))
}

function conforming(test: TestFunction, subject: FormatSubject): void {
  conformingManifest(test, subject.manifest, 'format')
  const format = created(subject)
  conformingRequests(test, format, subject)
  conformingLosses(test, format, subject)
  conformingErrors(test, format)
  conformingStreams(test, format, subject.replies)
}

function conformingRequests(test: TestFunction, format: Format, subject: FormatSubject): void {
  for (const { name, body, spelled = body } of subject.requests) {
    test(`request ${name}: passes the check and comes back as it went`, () => {
      const sent = frozen(body)
      format.check(sent)
      const call = frozen(format.decodeRequest(sent))
      assert.deepEqual(format.decodeRequest(sent), call, 'decoding twice is decoding once')
      const encoded = format.encodeRequest(call)
      assert.deepEqual(format.encodeRequest(call), encoded, 'encoding twice is encoding once')
      assert.deepEqual(encoded, spelled, 'what was decoded comes back')
      assert.deepEqual(format.decodeRequest(encoded), call, 'decode after encode is the identity')
      assert.deepEqual(
        format.unsupportedFields(call),
        { refuse: [], report: [] },
        'nothing is lost',
      )
    })
  }
  const [first] = subject.requests
  const body = first?.body ?? {}
  test('a field the format does not know is kept', () => {
    const unknown = { nested: [1, 'two', { three: null }] }
    const call = format.decodeRequest(frozen({ ...body, x_unknown_field: unknown }))
    assert.deepEqual(format.encodeRequest(call).x_unknown_field, unknown)
  })
  for (const [field, value] of subject.explicit) {
    test(`${field}: an explicit ${JSON.stringify(value)} is kept, omitted stays omitted`, () => {
      const { [field]: _, ...without } = body
      const sent = format.encodeRequest(format.decodeRequest({ ...body, [field]: value }))
      assert.deepEqual(sent[field], value)
      const left = format.encodeRequest(format.decodeRequest(without))
      assert.ok(!(field in left), `${field} was omitted`)
    })
  }
  for (const { body: refused, param } of subject.refused) {
    test(`check names ${param} in ${short(refused)}`, () => {
      assert.throws(
        () => format.check(frozen(refused)),
        (error) => error instanceof Refusal && error.status === 400 && error.param === param,
      )
    })
  }
  test('a body of anything decodes to a call or is refused', () => {
    for (const junk of strangeBodies) {
      try {
        assert.equal(typeof format.decodeRequest(frozen(junk)).stream, 'boolean')
      } catch (error) {
        assert.ok(error instanceof Refusal, `${short(junk)}: ${String(error)}`)
      }
    }
  })
}

const strangeValues: readonly Json[] = [null, 0, '', false, [], {}, [null], [[]], [{}], 'x', -1]
const strangeFields = ['messages', 'system', 'tools', 'tool_choice', 'stop', 'stop_sequences']
const strangeBodies: readonly JsonObject[] = [
  {},
  ...strangeFields.flatMap((field) =>
    strangeValues.map((value) => ({ model: 'm', [field]: value })),
  ),
  ...strangeValues.map((content) => ({ model: 'm', messages: [{ role: 'user', content }] })),
]

function conformingLosses(test: TestFunction, format: Format, subject: FormatSubject): void {
  const { plain, losses, lossTable = [] } = subject
  test('a plain call loses nothing', () => {
    assert.deepEqual(format.unsupportedFields(frozen(plain)), { refuse: [], report: [] })
  })
  test('every row of the table of unsupported fields has a case', () => {
    const rows = lossTable.map(({ field, kind }) => `${kind} ${field}`).sort()
    const cases = new Set(losses.map(({ field, kind }) => `${kind} ${field}`))
    assert.deepEqual(
      rows.filter((row) => !cases.has(row)),
      [],
    )
  })
  for (const { field, kind, call } of losses) {
    test(`${field} is named as a loss to ${kind}`, () => {
      const lost = format.unsupportedFields(frozen({ ...plain, ...call }))
      assert.ok(lost[kind].includes(field), `named: ${JSON.stringify(lost)}`)
      if (kind === 'report') assert.deepEqual(lost.refuse, [], 'a cosmetic loss refuses nothing')
      if (kind === 'report') format.encodeRequest(frozen({ ...plain, ...call }))
    })
  }
}

const clientErrors: readonly ClientError[] = [400, 401, 403, 404, 413, 429, 500, 503, 504].map(
  (status) => ({
    status,
    message: 'No.',
    type: 'invalid_request_error',
    param: 'model',
    code: 'c',
  }),
)

function conformingErrors(test: TestFunction, format: Format): void {
  test('an error has message, type, param and code, all strings, and keeps its status', () => {
    for (const error of clientErrors) {
      const { status, body } = format.encodeError({ ...error, param: '' })
      assert.equal(status, error.status)
      const result = body.error as JsonObject
      assert.equal(result.message, 'No.')
      assert.equal(result.param, '')
      for (const field of ['message', 'type', 'param', 'code']) {
        assert.equal(typeof result[field], 'string', field)
      }
    }
  })
  test('an error in a stream is read as a failure and not passed on', () => {
    const bytes = format.encodeStreamError(clientErrors[0]!)
    const decoder = format.decodeStream()
    const events = [...decoder.push(bytes), ...decoder.flush()]
    assert.deepEqual(
      events.map(({ type }) => type),
      ['failure'],
    )
    const watch = format.watch({ wantsUsage: true })
    assert.equal(Buffer.concat([watch.push(bytes), watch.flush()]).length, 0)
    assert.notEqual(watch.failure, undefined)
    assert.equal(watch.ended, false)
  })
  test('a body that is an error, or nothing known, is a failure', () => {
    for (const body of [format.encodeError(clientErrors[0]!).body, {}, { x: 1 }]) {
      assert.notEqual(format.readReply(frozen(body)).failure, undefined, short(body))
      const types = format.decodeReply(frozen(body)).map(({ type }) => type)
      assert.deepEqual(types, ['failure'], short(body))
    }
  })
}

function short(value: Json): string {
  const text = JSON.stringify(value)
  return text.length > 70 ? `${text.slice(0, 70)}…` : text
}
