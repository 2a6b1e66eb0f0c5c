/** The readers of JSON against the engine's: the same value or a refusal, whole or in pieces, and bytes that fit the value. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { deeplyRewritten, readJson } from '../../../kernel/toolkit/json/index.js'
import { readPieces } from '../../../kernel/toolkit/json/pieces.js'
import { rewritten } from '../../../kernel/toolkit/json/ranges.js'
import { holdsTooMuch, JsonCounts, requestBounds } from '../../../kernel/toolkit/json/scan.js'
import { answers } from '../corpus.js'
import { type Bytes, bufferOf, bytesIn, mutatedBytes, mutatedJson } from '../mutations.js'
import type { Target } from '../target.js'

interface Input {
  readonly bytes: Bytes
  readonly pieceBytes: number
}

const written = [
  '{"a":1,"b":[1,2.5e3,-0],"c":{"d":"\\u00e9\\"\\\\","e":null}}',
  ' { "model" : "m" , "messages" : [ { "role" : "user" , "content" : "汉\\n" } ] } ',
  '{"a":{"a":{"a":[[[[]]]]}},"b":"\\ud83d\\ude00","":0}',
]
const corpus = [...written, ...answers.map(({ content }) => JSON.stringify(content))].map(bytesIn)
const tokens = ['\\u', '\\"', '"a":1,', '{}', '[]', '"__proto__":1', '\ufeff', '1e999', '0123', '﷐']
const texts = mutatedJson(answers.map(({ content }) => content)).map(bytesIn)

export const json: Target<Input> = {
  name: 'json',
  inputs: fc.record({
    bytes: fc.oneof(mutatedBytes(corpus, tokens), texts),
    pieceBytes: fc.integer({ min: 16, max: 96 }),
  }),
  check({ bytes, pieceBytes }) {
    const buffer = bufferOf(bytes)
    const truth = parsed(buffer.toString('utf8'))
    holdsTooMuch(buffer)
    assert.deepEqual(inPieces(buffer, pieceBytes) ?? truth, truth, 'the value read in pieces')
    const read = readOrRefused(buffer)
    if (read === undefined) return
    assert.deepEqual({ value: read }, truth, 'the value read at once')
    assertSpliced(read, buffer)
  },
}

type Parsed = { readonly value: Json } | 'broken'

function parsed(text: string): Parsed {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return 'broken'
  }
}

/** Undefined: refused for what it holds. */
function inPieces(bytes: Buffer, pieceBytes: number): Parsed | undefined {
  const broken = new Error('broken')
  const rules = { parsed() {}, twice() {}, broken: () => broken }
  const counts = new JsonCounts(requestBounds)
  const reading = readPieces(bytes, { counts, rules, pieceBytes, stretchBytes: 16 })
  try {
    for (;;) {
      const { done, value } = reading.next()
      if (done) return { value }
    }
  } catch (error) {
    if (error === broken) return 'broken'
    if (error instanceof Refusal) return undefined
    throw error
  }
}

function readOrRefused(bytes: Buffer): JsonObject | undefined {
  try {
    return readJson(bytes)
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** What is written in place of members is what a reader finds there. */
function assertSpliced(value: JsonObject, bytes: Buffer): void {
  const [first] = Object.keys(value)
  if (first === undefined) return
  const original = { value, bytes }
  const changed = { ...value, [first]: 'new', added: [1] }
  assert.deepEqual(JSON.parse(rewritten(changed, original).toString()), changed, 'spliced')
  const inner = value[first]
  if (!isObject(inner)) return
  const deep = { ...value, [first]: { ...inner, added: 1 } }
  assert.deepEqual(JSON.parse(deeplyRewritten(deep, original).toString()), deep, 'spliced deep')
}
