/** The byte scan against the parser: whatever a chunk holds and wherever it is cut, both read the same. */
import t from 'tap'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import { TokenCounter } from '../../../../kernel/toolkit/format/token-estimate.js'
import { ChunkScan } from '../../../../plugins/formats/generative/scan.js'
import { body } from './recorded.js'
import { chunk } from './wire.js'

interface Reading {
  readonly estimatedTokens: number
  readonly content: boolean
  readonly complete: boolean
  readonly searched: boolean
  readonly usage: string | undefined
}

function scanned(texts: readonly string[], pieceOf: () => number): Reading {
  const scan = new ChunkScan()
  for (const text of texts) {
    const bytes = Buffer.from(text)
    scan.begin()
    for (let from = 0; from < bytes.length; ) {
      const to = Math.min(from + pieceOf(), bytes.length)
      // A piece of its own, so that nothing is found by looking behind it.
      scan.scan(Buffer.from(bytes.subarray(from, to)), 0, to - from)
      from = to
    }
  }
  const { estimatedTokens, content, complete, searched, usage: kept } = scan
  const usage = kept?.bytes.toString('utf8', kept.from, kept.to)
  return { estimatedTokens, content, complete, searched, usage }
}

const whole = () => Number.POSITIVE_INFINITY

/** Mulberry32: small, and the same on every machine. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const names = ['text', 'thinking', 'tools', 'search', 'image', 'code', 'safety', 'two-answers']
const strange = [
  chunk([{ text: 'quote " slash \\ both \\" tab \t 北京 🚀 end\\' }, { text: '\\\\' }]),
  chunk([{ functionCall: { name: 'a', args: { text: '}]"', n: [1, { index: 5 }] } } }]),
  { candidates: [], usageMetadata: { odd: '"}{' } },
  { usageMetadata: { a: 'x\\"}', candidatesTokenCount: 3, list: [{ modality: 'TEXT' }] } },
  { text: 'x', args: { text: 'x' }, candidates: [{ parts: [{ text: 'x' }], text: 'x' }] },
]

t.test('pieces of any size read as the whole', async (t) => {
  const random = seeded(20_261_101)
  const chunks = [...names.map(body), ...strange]
  let compared = 0
  let wrong = 0
  for (let run = 0; run < 400; run += 1) {
    const picked = Array.from({ length: 3 }, () => chunks[Math.floor(random() * chunks.length)]!)
    const texts = picked.map((one) =>
      random() < 0.5
        ? JSON.stringify(one)
        : JSON.stringify(one, null, 1 + Math.floor(random() * 3)),
    )
    const most = 1 + Math.floor(random() * 40)
    const inPieces = scanned(texts, () => 1 + Math.floor(random() * most))
    compared += 1
    if (JSON.stringify(inPieces) !== JSON.stringify(scanned(texts, whole))) wrong += 1
  }
  t.equal(compared, 400)
  t.equal(wrong, 0)
})

t.test('byte by byte, too', async (t) => {
  for (const one of [...names.map(body), ...strange] as JsonObject[]) {
    const texts = [JSON.stringify(one)]
    t.strictSame(
      scanned(texts, () => 1),
      scanned(texts, whole),
    )
  }
})

t.test('what is counted is what the parser finds', async (t) => {
  const counter = new TokenCounter()
  const words = ['quote " slash \\ both \\" tab \t 北京 🚀 end\\', '\\\\', 'plain']
  for (const word of words) counter.add(word)
  const texts = words.map((text) => JSON.stringify(chunk([{ text }])))
  t.equal(scanned(texts, whole).estimatedTokens, counter.estimatedTokens)
  t.equal(
    scanned([JSON.stringify(strange[4])], whole).estimatedTokens,
    0,
    'only parts of a content speak',
  )
  t.equal(scanned([JSON.stringify(strange[2])], whole).usage, undefined)
  t.equal(
    scanned([JSON.stringify(strange[3])], whole).usage,
    JSON.stringify(strange[3]?.usageMetadata),
  )
})
