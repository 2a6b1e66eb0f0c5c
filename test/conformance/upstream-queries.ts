/**
 * The part of the provider kit about questions to the upstream: queried twice alike, at the hosts of the manifest, without
 * the key in the address; and whatever comes back, a value or a failure, never an exception.
 */
import assert from 'node:assert/strict'
import type { Failure } from '../../kernel/contract/failure.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { WholeAnswer } from '../../kernel/contract/operation.js'
import type {
  ChannelView,
  Credentials,
  Provider,
  UpstreamQuery,
  UpstreamRequest,
} from '../../kernel/contract/provider.js'
import { catalogue } from '../../kernel/toolkit/errors/refusal.js'
import { decimalOf } from '../../kernel/toolkit/json/decimal.js'
import { frozen, type TestFunction } from './kit.js'
import { assertAtHosts, assertKeyInHeaders } from './outgoing-request.js'

type Verb = 'models' | 'balance'

/** An answer of the upstream, or several where a question has pages, and what it is read as. */
export interface InquiryCase {
  readonly name: string
  readonly verb: Verb
  /** Bodies of status 200, or whole answers. One for each page, in order. */
  readonly answers: readonly (JsonObject | Buffer | WholeAnswer)[]
  /** Values of the pages, in order. Absent: the last answer is a failure. */
  readonly values?: readonly (readonly string[] | string)[]
  /** Part of what the operator received of the failure. */
  readonly message?: string
  /** Base URL of the channel that asks. Absent: the manifest's. */
  readonly baseUrl?: string
  /** What each address must end with, in order. */
  readonly urls?: readonly string[]
}

export interface InquirySubject {
  readonly provider: Provider
  readonly channels: readonly ChannelView[]
  readonly hosts: readonly string[]
  readonly credentials: Credentials
  readonly cases: readonly InquiryCase[]
}

const now = 1_767_225_600_000
const verbs: readonly Verb[] = ['models', 'balance']

export function conformingInquiries(test: TestFunction, subject: InquirySubject): void {
  for (const verb of verbs) {
    const query = subject.provider[verb] as UpstreamQuery<unknown> | undefined
    if (query === undefined) continue
    for (const channel of subject.channels) {
      const at = `type ${channel.type}, ${verb}`
      test(`${at}: sent twice alike, within the hosts, nothing changed`, () => {
        const from = placeOf(verb, channel, subject)
        assertRequests(from, subject, (page) => sendRequest(query, from, subject, page))
      })
    }
    test(`${verb}: whatever is answered, it is a value or a failure`, () => {
      for (const [name, answer] of hostileAnswers()) assertReads(query, verb, answer, name)
    })
    test(`${verb}: an answer that is none is a failure`, () => {
      for (const [name, answer] of plainlyWrong()) {
        assert.ok('failure' in query.read(answer), name)
      }
    })
  }
  for (const one of subject.cases) conformingCase(test, one, subject)
}

/** A provider may know its balance at certain addresses only; its cases name one. */
function placeOf(verb: Verb, channel: ChannelView, { cases }: InquirySubject): ChannelView {
  const named = cases.find((one) => one.verb === verb && one.baseUrl !== undefined)?.baseUrl
  return named === undefined ? channel : { ...channel, baseUrl: named }
}

function sendRequest(
  query: UpstreamQuery<unknown>,
  channel: ChannelView,
  { credentials }: InquirySubject,
  page?: string,
): UpstreamRequest {
  const context = frozen({ now, ...(page !== undefined && { page }) })
  return query.request(frozen(channel), frozen(credentials), context)
}

function assertRequests(
  channel: ChannelView,
  { hosts, credentials }: InquirySubject,
  at: (page?: string) => UpstreamRequest,
): void {
  for (const page of [undefined, 'a/b?c&d=%00']) {
    const request = at(page)
    assert.deepEqual(at(page), request)
    assertAtHosts(request, channel, hosts)
    assertKeyInHeaders(request, credentials)
    assert.equal(new URL(request.url).hash, '', 'a page token stays in the query')
  }
}

const canary = 'sk-conformance-Zq81mVb07RtYxw5NcE3kLpHsD9'
const leaky = `Bad key ${canary} at https://internal.example:8443/v1?key=${canary} (10.0.0.7)`

const bodies: Readonly<Record<string, string | Buffer>> = {
  nothing: '',
  'a page': `<!doctype html><html><title>502</title>${leaky}</html>`,
  garbage: Buffer.from([0xff, 0xfe, 0x00, 0x7b, 0x22, 0x80]),
  'half a JSON': `{"data":[{"id":"${leaky}`,
  'an error': JSON.stringify({ error: { message: leaky, type: 'x' } }),
  'an error of its own shape': JSON.stringify({ code: 1, message: leaky, data: null }),
  'another JSON': '[null,"x",12]',
  'a null': 'null',
  'an empty object': '{}',
}

const statuses = [200, 204, 301, 400, 401, 402, 403, 404, 409, 422, 429, 500, 502, 503]

function* hostileAnswers(): Generator<readonly [string, WholeAnswer]> {
  for (const status of statuses) {
    for (const [name, body] of Object.entries(bodies))
      yield [`${status}, ${name}`, answerOf(status, body)]
  }
  for (const value of hostileValues) {
    for (const field of fields) {
      yield [`${field}: ${value.slice(0, 60)}`, answerOf(200, `{"${field}":${value}}`)]
      yield [
        `data.${field}: ${value.slice(0, 60)}`,
        answerOf(200, `{"data":{"${field}":${value}}}`),
      ]
    }
  }
}

/** Every field some upstream puts its answer in. */
const fields = [
  'data',
  'models',
  'result',
  'publisherModels',
  'modelSummaries',
  'inferenceProfileSummaries',
  'hard_limit_usd',
  'total_usage',
  'total_available',
  'balance_infos',
  'total_credits',
  'limit_remaining',
  'available_balance',
  'totalBalance',
]

const hostileValues = [
  'null',
  'true',
  '"lots"',
  '"NaN"',
  '1e400',
  '-1e400',
  '99999999999999999999999999999999999999999999',
  '"<html>"',
  '[]',
  '[null,1,"x",[],{},{"id":1},{"id":null},{"name":{}},{"id":"__proto__"}]',
  '[[[[[[]]]]]]',
  `"${'9'.repeat(5000)}"`,
  '{"__proto__":{"id":"x"}}',
]

function* plainlyWrong(): Generator<readonly [string, WholeAnswer]> {
  for (const [name, body] of Object.entries(bodies)) {
    for (const status of statuses) yield [`${status}, ${name}`, answerOf(status, body)]
  }
}

function answerOf(status: number, body: string | Buffer): WholeAnswer {
  return { status, headers: frozen({ 'content-type': 'text/html' }), body: Buffer.from(body) }
}

function assertReads(
  query: UpstreamQuery<unknown>,
  verb: Verb,
  answer: WholeAnswer,
  name: string,
): void {
  const read = query.read(answer)
  assert.deepEqual(query.read(answer), read, `${name}: reading twice is reading once`)
  if ('failure' in read) {
    assertSafeFailure(read.failure, name)
    return
  }
  if (verb === 'balance')
    assert.equal(decimalOf(read.value), read.value, `${name}: a plain decimal`)
  else
    assert.ok(
      (read.value as unknown[]).every((one) => typeof one === 'string'),
      name,
    )
}

/** What may be reported: a sentence without key, address or markup (ERR-2). */
function assertSafeFailure(failure: Failure, name: string): void {
  const message = JSON.stringify(failure)
  assert.ok(Object.hasOwn(catalogue, failure.code), `${name}: the code is of the catalogue`)
  assert.notEqual(failure.blame, 'client', `${name}: no client is involved`)
  assert.ok(failure.message.length > 0 && failure.message.length < 2000, `${name}: one sentence`)
  for (const secret of [canary, 'internal.example', '10.0.0.7', '<html']) {
    assert.ok(!message.includes(secret), `${name}: "${secret}" is revealed`)
  }
}

function conformingCase(test: TestFunction, one: InquiryCase, subject: InquirySubject): void {
  const { name, verb, answers, values, message, urls } = one
  test(`${verb}, ${name}: ${values === undefined ? 'a failure' : 'page by page to its end'}`, () => {
    const query = subject.provider[verb] as UpstreamQuery<unknown> | undefined
    assert.ok(query, `there is a question for ${verb}`)
    const channel = { ...subject.channels[0]!, ...(one.baseUrl && { baseUrl: one.baseUrl }) }
    const found: unknown[] = []
    let page: string | undefined
    for (const [index, answer] of answers.entries()) {
      const { url } = sendRequest(query, channel, subject, page)
      const end = urls?.[index]
      if (end !== undefined) assert.ok(url.endsWith(end), `${url} ends with ${end}`)
      const read = query.read(wholeOf(answer))
      if ('failure' in read) {
        assert.equal(values, undefined, read.failure.message)
        assertSafeFailure(read.failure, name)
        assert.ok(read.failure.message.includes(message ?? ''), read.failure.message)
        return
      }
      found.push(read.value)
      page = read.next
      assert.equal(page === undefined, index === answers.length - 1, 'the last page names no next')
    }
    assert.deepEqual(found, values)
  })
}

function wholeOf(answer: InquiryCase['answers'][number]): WholeAnswer {
  if (Buffer.isBuffer(answer)) return answerOf(200, answer)
  return isWhole(answer) ? answer : answerOf(200, JSON.stringify(answer))
}

function isWhole(answer: JsonObject | WholeAnswer): answer is WholeAnswer {
  return 'body' in answer && Buffer.isBuffer(answer.body)
}
