/** Paths into JSON, addresses of upstreams, names of models and chains of names. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import {
  change,
  type Path,
  parsePath,
  valueAt,
  valuesAt,
} from '../../../kernel/toolkit/json/index.js'
import { routePath } from '../../../kernel/toolkit/management/index.js'
import { modelSegment, upstreamUrl } from '../../../kernel/toolkit/provider/index.js'
import { mappedModel, statusCodes } from '../../../kernel/toolkit/stage/index.js'
import { answers } from '../corpus.js'
import { mutatedBytes, mutatedJson } from '../mutations.js'
import type { Target } from '../target.js'

interface Input {
  readonly text: string
  readonly json: string
  readonly names: Readonly<Record<string, string>>
}

const texts = [
  'messages.-1.content',
  'tools.*.function.name',
  'a\\.b.0.#',
  'https://api.example.com:8443/base/v1/',
  'https://user:pass@[::1]/v1?x#y',
  'gpt-4o',
  'models/gemini-2.5-pro:generateContent',
  '../..',
  '..',
  '.',
  '%2e%2e%2f',
  '401,500-503',
]
const tokens = [
  '.',
  '\\',
  '*',
  '#',
  '-1',
  '0',
  '__proto__',
  '/',
  '/v1',
  '..',
  '%',
  '?',
  '@',
  '//',
  'a',
  ',',
  '-',
]
const name = fc.constantFrom('a', 'b', 'c', 'd', '__proto__', 'constructor', '')

export const paths: Target<Input> = {
  name: 'paths',
  inputs: fc.record({
    text: fc.oneof(mutatedBytes(texts, tokens), fc.string({ unit: 'binary' })),
    json: mutatedJson(answers.map(({ content }) => content)),
    names: fc.dictionary(name, name),
  }),
  check({ text, json, names }) {
    const path = orError(() => parsePath(text))
    if (path !== undefined) assertPath(path, JSON.parse(json))
    routePath(text)
    orError(() => statusCodes(text))
    assertAddress(text)
    for (const one of Object.keys(names)) assertMapped(names, one)
  },
}

function assertPath(path: Path, root: JsonObject): void {
  const before = JSON.stringify(root)
  const found = valueAt(root, path)
  valuesAt(root, path)
  if (typeof root !== 'object' || root === null || Array.isArray(root)) return
  const left = change(root, path, () => undefined, 'leave')
  const made = change(root, path, () => 'new', 'make')
  assert.equal(JSON.stringify(root), before, 'the value stays as it was')
  if (found === undefined && !path.some(({ every }) => every))
    assert.equal(left, root, 'nothing was there')
  const put = valueAt(made, path)
  if (made !== root && !path.some(({ every }) => every))
    assert.equal(put, 'new', 'what was put is there')
}

/** A name in an address leads to the same host and stays one segment; a base never adds a query. */
function assertAddress(text: string): void {
  const segment = orRefusal(() => modelSegment(text))
  if (segment !== undefined) {
    const { origin, pathname } = new URL(`https://a.example/v1/models/${segment}/run?b=c`)
    assert.equal(origin, 'https://a.example')
    assert.equal(pathname.split('/').length, 5, 'segments of the path')
  }
  const url = orRefusal(() => upstreamUrl(text, '/v1/chat/completions'))
  if (url === undefined) return
  const { origin, pathname, search } = new URL(url)
  assert.equal(origin, new URL(text).origin, 'the origin')
  assert.ok(pathname.endsWith('/v1/chat/completions') && search === '', 'the path')
}

function assertMapped(names: Readonly<Record<string, string>>, requested: string): void {
  const mapped = mappedModel(names, requested)
  assert.ok(mapped === undefined || typeof mapped === 'string')
  if (mapped === undefined) return
  assert.ok(!Object.hasOwn(names, mapped) || names[mapped] === mapped, 'the chain is at its end')
}

function orRefusal<Read>(read: () => Read): Read | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

function orError<Read>(read: () => Read): Read | undefined {
  try {
    return read()
  } catch (error) {
    if ((error as Error).constructor === Error) return undefined
    throw error
  }
}
