/** Large JSON is written in steps, to the very bytes the engine's own writer makes. */
import fc from 'fast-check'
import t from 'tap'
import type { Json } from '../../../../kernel/contract/json.js'
import { atOnce, inTurns, largeJson } from '../../../../kernel/toolkit/json/index.js'

const steps = fc.record({
  longTextMin: fc.integer({ min: 1, max: 12 }),
  stepChars: fc.integer({ min: 1, max: 9 }),
})
const value = fc.jsonValue({ noUnicodeString: false }) as fc.Arbitrary<Json>
const text = fc.array(
  fc.constantFrom('a', '"', '\\', '\n', 'é', '漢', '🎉', '\ud83c', '\udf89', '\u2028'),
  { maxLength: 30 },
)

t.test('large JSON is written as the engine writes it', async (t) => {
  fc.assert(
    fc.property(value, text, steps, (value, text, steps) => {
      const body = { value, text: text.join(''), list: [text.join(''), value] }
      const written = atOnce(largeJson(body, steps))
      return written.equals(Buffer.from(JSON.stringify(body)))
    }),
    { numRuns: 2_000 },
  )
  const plain = { model: 'm', image: 'iVBORw0KGgo'.repeat(500_000) }
  const written = await inTurns(largeJson(plain))
  t.ok(written.equals(Buffer.from(JSON.stringify(plain))))
})

t.test(
  'however much long work there is, each turn of the event loop holds one stretch',
  async (t) => {
    const turns: number[] = []
    let turn = 0
    const count = () => {
      turn += 1
      timer = setImmediate(count)
    }
    let timer = setImmediate(count)
    function* work() {
      for (let step = 0; step < 3; step++) {
        turns.push(turn)
        const until = performance.now() + 6
        while (performance.now() < until);
        yield
      }
    }
    await Promise.all(Array.from({ length: 8 }, () => inTurns(work())))
    clearImmediate(timer)
    t.equal(new Set(turns).size, turns.length, 'no two steps of 6 ms are in one turn')
  },
)
