/**
 * Parameter and header overrides: a document is read or refused in a sentence, and one that was read never throws, never
 * changes the body it is given and reaches no prototype.
 */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import createRewriting from '../../../plugins/services/rewriting/index.js'
import { frozen } from '../../conformance/kit.js'
import { mutatedJson } from '../mutations.js'
import { requests } from '../requests.js'
import type { Target } from '../target.js'

interface Input {
  readonly document: string
  readonly body: string
}

const when = [
  { path: 'original_model', mode: 'prefix', value: 'gpt' },
  { path: 'n', mode: 'gte', value: 1 },
]
const operations: readonly JsonObject[] = [
  {
    mode: 'set',
    path: 'messages.0.content',
    value: 'x',
    keep_origin: true,
    conditions: when,
    logic: 'AND',
  },
  { mode: 'delete', path: 'messages.*.content' },
  { mode: 'move', from: 'max_tokens', to: 'max_completion_tokens' },
  { mode: 'copy', from: 'user', to: 'metadata.user_id' },
  { mode: 'prepend', path: 'messages', value: [{ role: 'system', content: 'Hi' }] },
  { mode: 'append', path: 'stop', value: ['END'] },
  { mode: 'trim_prefix', path: 'model', value: 'openai/' },
  { mode: 'ensure_suffix', path: 'model', value: ':free' },
  { mode: 'trim_space', path: 'messages.-1.content' },
  { mode: 'to_upper', path: 'model' },
  { mode: 'replace', path: 'model', from: '/', to: '-' },
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the documents have placeholders of this form.
  { mode: 'regex_replace', path: 'model', from: '^gpt-(\\d)', to: '${1}$0$$' },
  {
    mode: 'return_error',
    value: { message: 'No', status_code: 403, skip_retry: false },
    conditions: when,
  },
  {
    mode: 'prune_objects',
    path: 'messages',
    value: { type: 'text', where: { 'a.b': 1 }, recursive: true },
  },
  { mode: 'set_header', path: 'x-team', value: '{client_header:x-team}' },
  { mode: 'copy_header', from: 'x-session', to: 'session_id' },
  { mode: 'pass_headers', value: ['user-agent', 'x-session'] },
  { mode: 'sync_fields', from: 'header:x-session', to: 'json:prompt_cache_key' },
]
const headerDocuments: readonly JsonObject[] = [
  {
    '*': true,
    're:^x-team-': true,
    'X-Agent': '{client_header:user-agent}',
    'X-Key': '{api_key}',
    a: null,
  },
]
const documents: readonly Json[] = [
  ...operations.map((one) => ({ operations: [one] })),
  { temperature: 0, operations },
  ...headerDocuments,
]
const rewriting = createRewriting()
const clientHeaders = { 'user-agent': 'a', 'x-session': 'b', 'x-team-a': 'c', cookie: 'd' }

export const override: Target<Input> = {
  name: 'override',
  inputs: fc.record({
    document: mutatedJson(documents),
    body: mutatedJson(Object.values(requests).flat()),
  }),
  check(input) {
    const document = JSON.parse(input.document)
    const body = JSON.parse(input.body)
    if (!isPlain(document) || !isPlain(body)) return
    const before = Object.getOwnPropertyNames(Object.prototype).length
    const read = readOrRefused(() => rewriting.override(frozen(document)))
    const done = read?.apply(frozen(body), context)
    if (done !== undefined && 'wire' in done) {
      assert.equal(Object.getPrototypeOf(done.wire), Object.prototype, 'the prototype of the body')
      JSON.stringify(done.wire)
    }
    const headers = readOrRefused(() => rewriting.headers(frozen(document)))
    const set = headers?.apply({ key: 'sk-1', clientHeaders }) ?? {}
    for (const value of Object.values(set)) assert.ok(value === null || !/[\r\n\0]/.test(value))
    assert.equal(Object.getOwnPropertyNames(Object.prototype).length, before, 'Object.prototype')
  },
}

const context = {
  model: 'gpt-4o',
  upstreamModel: 'gpt-4o-mini',
  requestPath: '/v1/chat/completions',
  retryIndex: 0,
  clientHeaders,
  headers: { 'x-set': 'e' },
}

/** Bodies are read by a reader that refuses such keys; a frozen copy of them would be made by assignment. */
function isPlain(value: unknown): value is JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return !JSON.stringify(value).includes('"__proto__"')
}

/** What is refused is reported in a sentence, by an error of no other class. */
function readOrRefused<Read>(read: () => Read): Read | undefined {
  try {
    return read()
  } catch (error) {
    if ((error as Error).constructor === Error) return undefined
    throw error
  }
}
