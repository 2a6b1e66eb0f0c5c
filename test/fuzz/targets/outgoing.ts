/** Requests as providers write them: whatever a client sent, the upstream is sent JSON, to its own address, under plain headers. */
import assert from 'node:assert/strict'
import { validateHeaderName, validateHeaderValue } from 'node:http'
import fc from 'fast-check'
import type { Body } from '../../../kernel/contract/body.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { FormatName } from '../../../kernel/contract/names.js'
import type { AddressContext } from '../../../kernel/contract/provider.js'
import { ownFormUnsupportedFields } from '../../../kernel/toolkit/stage/own-form.js'
import { frozen } from '../../conformance/kit.js'
import { context } from '../../providers/provider-kit.js'
import { orRefused } from '../assertions.js'
import { formats } from '../formats.js'
import { mutatedJson } from '../mutations.js'
import { requests } from '../requests.js'
import { bodyOf, type Subject, subjects } from '../subjects.js'
import type { Target } from '../target.js'
import { checked, operations } from './operations.js'

interface Input {
  /** Of all adapters, modulo their number. */
  readonly adapter: number
  readonly format: FormatName
  readonly text: string
  readonly model: string
  readonly key: string
}

/** Where these stand: few, and with the most to get wrong. */
const ownForms = subjects.flatMap(({ adapter }, at) => (adapter.format === 'own' ? [at] : []))
const names = Object.keys(requests) as FormatName[]
const bodies = subjects.flatMap(({ operation }) => {
  const body = bodyOf(operation)
  return body.kind === 'json' ? [body.value] : body.kind === 'form' ? [body.fields] : []
})
const models = [
  'm',
  'vendor/m',
  'm:free',
  'a b',
  '../../x',
  'm?k=v',
  'm#f',
  'm@1',
  '模型',
  '%2e%2e',
]
const serviceAccount = JSON.stringify({
  project_id: 'p',
  client_email: 'a@p.example',
  private_key: '-',
})
const keys = ['sk-1', 'access|secret|region', 'a|b', 'a.b', '模型', serviceAccount]

export const outgoing: Target<Input> = {
  name: 'outgoing',
  inputs: fc.oneof(
    ...names.map((format) => inputs(format, [...requests[format]])),
    inputs('chat', bodies),
  ),
  check({ adapter: at, format, text, model, key }) {
    const subject = subjects[at % subjects.length]!
    const value: unknown = JSON.parse(text)
    // The reader of bodies has refused these before a provider sees them.
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return
    if (text.includes('"__proto__"') || text.includes('1e999')) return
    const body =
      subject.operation === 'chat'
        ? chatBody(subject, format, frozen(value as JsonObject), model)
        : operationBody(subject, text, model)
    if (body !== undefined) assertAddressed(subject, body, model, key)
  },
}

function inputs(format: FormatName, corpus: readonly JsonObject[]): fc.Arbitrary<Input> {
  return fc.record({
    adapter: fc.oneof(fc.nat(10_000), fc.constantFrom(...ownForms)),
    format: fc.constant(format),
    text: mutatedJson(corpus),
    model: fc.oneof(fc.constantFrom(...models), fc.string({ minLength: 1, unit: 'binary' })),
    key: fc.oneof(fc.constantFrom(...keys), fc.string({ minLength: 1 })),
  })
}

function chatBody(
  { adapter, channel }: Subject,
  client: FormatName,
  request: JsonObject,
  model: string,
): Body | undefined {
  const format = formats[client]
  const call = orRefused(() => {
    format.check(request, { model, stream: false })
    return frozen({ ...format.decodeRequest(request, { model, stream: false }), model })
  })
  if (call === undefined) return
  if (adapter.format === 'own') {
    if (ownFormUnsupportedFields(adapter, call).refuse.length > 0) return
    return written(() => adapter.encode!(call, channel))
  }
  const target = formats[adapter.format as FormatName]
  if (target.unsupportedFields(call).refuse.length > 0) return
  const wire = orRefused(() => target.encodeRequest(call))
  if (wire === undefined) return
  return written(() => adapter.adjust?.(wire, channel) ?? wire)
}

function operationBody(
  { adapter, channel, operation }: Subject,
  text: string,
  model: string,
): Body | undefined {
  const work = operations.get(operation)
  const body = (work && orRefused(() => checked(work, operation, text))) ?? bodyOf(operation)
  if (adapter.shape === undefined) return body
  return orRefused(() => adapter.shape!(frozen(body), channel, model))
}

/** JSON, with nothing in it that `JSON.stringify` would drop from a list or refuse. */
function written(write: () => JsonObject): Body | undefined {
  const value = orRefused(write)
  if (value === undefined) return
  return { kind: 'json', value: JSON.parse(JSON.stringify(value)) as JsonObject }
}

function assertAddressed({ adapter, channel }: Subject, body: Body, model: string, key: string) {
  const ask = (name: string, over: Partial<AddressContext> = {}) =>
    orRefused(() => adapter.address(body, channel, { key, token: 't' }, context(name, over)))
  for (const stream of [false, true]) {
    const usual = ask('m', { stream })
    const request = ask(model, { stream })
    if (usual === undefined || request === undefined) continue
    const [expected, url] = [new URL(usual.url), new URL(request.url)]
    assert.equal(url.origin, expected.origin, 'the model does not choose the host')
    assert.deepEqual([...url.searchParams.keys()], [...expected.searchParams.keys()], 'the query')
    assert.equal(url.hash, '', 'the fragment')
    for (const [name, value] of Object.entries(request.headers)) {
      assert.equal(name, name.toLowerCase(), 'a header is named in lower case')
      validateHeaderName(name)
      if (!value.includes(key) && !value.includes(encodeURIComponent(key)))
        validateHeaderValue(name, value)
    }
  }
}
