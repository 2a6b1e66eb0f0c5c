/** Large JSON is read in pieces as the engine's parser would read the whole, and what is too much is never built (decision 0050). */
import fc from 'fast-check'
import t from 'tap'
import type { Json } from '../../../../kernel/contract/json.js'
import { readJson, readJsonAhead } from '../../../../kernel/toolkit/json/json.js'
import { readPieces } from '../../../../kernel/toolkit/json/pieces.js'
import { JsonCounts, requestBounds } from '../../../../kernel/toolkit/json/scan.js'
import { limits } from '../../../../kernel/toolkit/limits/limits.js'
import { turnMsMax, watchTurns } from '../../../kit/turn.js'

interface Cuts {
  readonly pieceBytes: number
  readonly stretchBytes: number
}

function inPieces(text: string, cuts: Cuts): Json {
  const rules = { parsed() {}, twice() {}, broken: () => new Error('broken') }
  const reading = readPieces(Buffer.from(text), {
    counts: new JsonCounts(requestBounds),
    rules,
    ...cuts,
  })
  for (;;) {
    const { done, value } = reading.next()
    if (done) return value
  }
}

function outcome(read: () => unknown): unknown {
  try {
    return { value: read() }
  } catch {
    return 'refused'
  }
}

const cuts = fc.record({
  pieceBytes: fc.integer({ min: 16, max: 200 }),
  stretchBytes: fc.integer({ min: 16, max: 200 }),
})

t.test('[FMT-5] what is read in pieces is what the parser reads, wherever it is cut', async (t) => {
  const value = fc.json({ stringUnit: 'binary', maxDepth: 6 })
  const spaced = fc
    .tuple(value, fc.integer({ min: 0, max: 3 }))
    .map(([text, space]) => JSON.stringify(JSON.parse(text), null, space))
  const escaped = spaced.map((text) =>
    text.replace(/[^\x20-\x7e\n]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`),
  )
  fc.assert(
    fc.property(fc.oneof(spaced, escaped), cuts, (text, cut) => {
      t.strictSame(
        outcome(() => inPieces(text, cut)),
        outcome(() => JSON.parse(text)),
      )
    }),
    { numRuns: 1500 },
  )
})

t.test('[FMT-5] what the parser refuses is refused in pieces, wherever it is cut', async (t) => {
  const token = fc.constantFrom(
    ...['{', '}', '[', ']', ',', ':', '"a"', '"__proto__"', '1', '-0.5e3', 'true', 'nul', ' '],
    ...['"\\', '"', '\\u00e9', '"\\\\"', `"${'\\"'.repeat(30)}"`, `"${'x'.repeat(60)}"`, '1.'],
    ...[
      '[1,2]',
      '{"k":[0]}',
      ' '.repeat(40),
      '\n',
      '\u0001',
      '01',
      '"\ud83d\ude00"',
      '1'.repeat(30),
    ],
  )
  const text = fc.array(token, { maxLength: 12 }).map((tokens) => tokens.join(''))
  fc.assert(
    fc.property(
      fc.oneof(
        text,
        text.map((inside) => `{"a":[${inside}]}`),
      ),
      cuts,
      (text, cut) => {
        t.strictSame(
          outcome(() => inPieces(text, cut)),
          outcome(() => JSON.parse(text)),
          text,
        )
      },
    ),
    { numRuns: 4000 },
  )
})

const mebibyte = 1024 * 1024
const wide = (item: string, bytes: number) =>
  `{"a":[${`${item},`.repeat(Math.ceil(bytes / (item.length + 1)))}0]}`
const keys = (count: number) => Array.from({ length: count }, (_, at) => `"k${at}":0`).join()

t.test('[ERR-1] a body that holds too much is refused by what it holds too much of', async (t) => {
  const { jsonNumberCharsMax, jsonKeyCharsMax, jsonObjectMembersMax } = limits
  const table: readonly (readonly [name: string, body: string, code: string, message: RegExp])[] = [
    ['objects', wide('{}', 66 * mebibyte), 'json_too_large', /too many objects and arrays/],
    ['arrays', wide('[]', mebibyte), 'json_too_large', /too many objects and arrays/],
    ['values', wide('0', 3 * mebibyte), 'json_too_large', /too many values; at most 1000000/],
    ['members', wide(`{${keys(30)}}`, 4 * mebibyte), 'json_too_large', /too many members of obj/],
    ['members of one', `{${keys(jsonObjectMembersMax + 1)}}`, 'json_too_large', /in one object/],
    ['many of one', `{"a":{${keys(190_000)}}}`, 'json_too_large', /in one object/],
    ['depth', `{"p":"${' '.repeat(mebibyte)}","a":${'['.repeat(500)}`, 'too_deep', /64 levels/],
    ['depth of large', `{"a":${'[0,'.repeat(400_000)}`, 'too_deep', /64 levels/],
    ['number', `{"a":${'9'.repeat(jsonNumberCharsMax + 1)}}`, 'json_too_large', /a number of/],
    ['fraction', `{"a":0.${'9'.repeat(2 * mebibyte)}}`, 'json_too_large', /a number of/],
    ['key', `{"${'k'.repeat(jsonKeyCharsMax + 1)}":1}`, 'json_too_large', /a key of/],
    ['large key', `{"${'k'.repeat(2 * mebibyte)}":1}`, 'json_too_large', /a key of/],
    ['twice', `{"a":1,"p":"${' '.repeat(mebibyte)}","a":2}`, 'duplicate_key', /"a" twice/],
    ['own', `{"p":"${' '.repeat(mebibyte)}","__proto__":[]}`, 'forbidden_key', /__proto__/],
    ['end', `{"p":"${' '.repeat(mebibyte)}`, 'invalid_json', /ends too early/],
    ['list', `[${'0,'.repeat(mebibyte / 4)}0]`, 'invalid_json', /not an object/],
  ]
  for (const [name, body, code, message] of table) {
    const bytes = Buffer.from(body)
    t.throws(() => readJson(bytes), { code, message }, name)
    await readJsonAhead(bytes)
    t.throws(() => readJson(bytes), { code, message }, `${name}, read ahead`)
  }
})

t.test('[FMT-5] a large body that keeps the bounds is read as it is', async (t) => {
  const bodies = [
    { model: 'm', input: Array.from({ length: 300_000 }, (_, at) => at) },
    { a: 'A'.repeat(3 * mebibyte), b: '汉\n"'.repeat(mebibyte), c: [{ d: '\\'.repeat(mebibyte) }] },
    { messages: Array.from({ length: 9_000 }, (_, at) => ({ role: 'user', content: `${at}` })) },
  ]
  for (const body of bodies) {
    const bytes = Buffer.from(JSON.stringify(body))
    const reading = readJsonAhead(bytes)
    t.ok(reading instanceof Promise)
    await reading
    t.strictSame(readJson(bytes), body)
    t.equal(readJson(bytes), readJson(bytes), 'it is read once')
  }
})

t.test('[LIMIT-6] no turn of reading a large body is long', async (t) => {
  const text = (inside: string) => `{"a":"${inside}"}`
  const table: readonly (readonly [name: string, body: string])[] = [
    ['one text', text('A'.repeat(60 * mebibyte))],
    ['escaped quotes', text('\\"'.repeat(30 * mebibyte))],
    ['backslashes', text('\\\\'.repeat(30 * mebibyte))],
    ['blanks', `{"a":${' '.repeat(60 * mebibyte)}0}`],
    ['numbers', wide('0', 1.9 * mebibyte)],
    ['texts', wide('"0123456789 0123456789 0123456789 0123456789 01234567"', 50 * mebibyte)],
  ]
  const msMax = turnMsMax()
  for (const [name, body] of table) {
    const bytes = Buffer.from(body)
    const longestTurn = watchTurns()
    await readJsonAhead(bytes)
    const longest = longestTurn()
    t.ok(readJson(bytes).a !== undefined)
    t.ok(longest < msMax, `${name}: ${longest.toFixed(1)} ms`)
  }
})
