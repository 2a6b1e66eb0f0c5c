/** The code fence around an answer that was to be JSON, however its text is cut. */
import t from 'tap'
import type { Event } from '../../../../kernel/contract/event.js'
import { plainJson } from '../../../../kernel/toolkit/stage/plain-json.js'

const at = { choice: 0, part: 0 }
const json = { output: { kind: 'json' } } as const

function read(pieces: readonly string[]): string {
  const reading = plainJson(json)!
  const events: Event[] = [
    { type: 'open', at, part: { kind: 'text' } },
    ...pieces.map((text): Event => ({ type: 'delta', at, text })),
    { type: 'close', at },
  ]
  // One by one, as they come in a stream.
  const results = events.flatMap((event) => reading([event]))
  return results.map((event) => (event.type === 'delta' ? (event.text ?? '') : '')).join('')
}

t.test('an answer that was to be JSON is JSON alone, wherever its stream is cut', async (t) => {
  const table = [
    ['{"a":1}', '{"a":1}'],
    ['```json\n{"a":1}\n```', '{"a":1}'],
    ['```\n{"a":1}\n```\n', '{"a":1}'],
    ['  \n```JSON\r\n{\n  "a": "```"\r\n}\r\n```', '{\n  "a": "```"\r\n}'],
    ['```json\n{"a":1}\n```\nThat is all.', '{"a":1}'],
    ['```json\n{"a":1', '{"a":1'],
    ['```json\n{"a":1}\n', '{"a":1}\n'],
    ['``` is a fence', '``` is a fence'],
    ['``', '``'],
    ['', ''],
    ['\n{"a":1}\n', '\n{"a":1}\n'],
  ] as const
  for (const [text, plain] of table) {
    for (let cut = 0; cut <= text.length; cut += 1) {
      t.equal(read([text.slice(0, cut), text.slice(cut)]), plain, `${text} cut at ${cut}`)
    }
    t.equal(read([...text]), plain, `${text} letter by letter`)
  }
})

t.test('nothing else is touched: reasoning, calls, and answers that were to be text', async (t) => {
  const fenced = '```json\n{}\n```'
  const others: Event[] = [
    { type: 'open', at, part: { kind: 'reasoning' } },
    { type: 'delta', at, text: fenced },
    { type: 'close', at },
    { type: 'open', at: { choice: 0, part: 1 }, part: { kind: 'toolCall', id: 'a', name: 'b' } },
    { type: 'delta', at: { choice: 0, part: 1 }, json: fenced },
  ]
  t.strictSame(plainJson(json)!(others), others)
  t.equal(plainJson({}), undefined)
  t.equal(plainJson({ output: { kind: 'text' } }), undefined)
})
