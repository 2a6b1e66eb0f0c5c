/** xAI: sizes as shapes, thoughts counted beside the completion. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { JsonObject } from '../../kernel/contract/json.js'
import chat from '../../plugins/formats/chat/index.js'
import create from '../../providers/xai/index.js'
import { usageOf } from '../conformance/events.js'
import { adapterOf } from '../conformance/provider.js'

const channel = { id: 1, type: 48, baseUrl: 'https://api.x.ai', settings: {} }
const adjust = (wire: JsonObject) => adapterOf(create(), 'images').adjust!(wire, channel)

t.test('a size becomes the shape it comes to', async (t) => {
  const shapes = {
    '1024x1024': '1:1',
    '1536x1024': '3:2',
    '1024x1536': '2:3',
    '1792x1024': '16:9',
    '1024x1792': '9:16',
  }
  for (const [size, aspect_ratio] of Object.entries(shapes)) {
    t.strictSame(adjust({ prompt: 'p', size }), { prompt: 'p', aspect_ratio }, size)
  }
  t.strictSame(adjust({ size: '2048x2048' }), { aspect_ratio: '1:1', resolution: '2k' })
  t.strictSame(adjust({ size: '2048x2048', resolution: '1k' }), {
    aspect_ratio: '1:1',
    resolution: '1k',
  })
})

t.test('a shape the client names wins, and no size at all is left out', async (t) => {
  t.strictSame(adjust({ size: '1024x1024', aspect_ratio: '2:1' }), { aspect_ratio: '2:1' })
  t.strictSame(adjust({ size: 'auto', n: 0 }), { n: 0 })
})

t.test('what comes to no shape stays as the client wrote it', async (t) => {
  for (const wire of [{ size: '1024x100' }, { size: 'large' }, { size: '' }, { prompt: 'p' }]) {
    const frozen = Object.freeze(wire)
    t.equal(adjust(frozen), frozen)
  }
})

t.test('thoughts beside the completion are part of the output', async (t) => {
  const bytes = readFileSync(new URL('../fixtures/xai/reasoning.sse', import.meta.url))
  const decoder = chat().decodeStream()
  const usage = usageOf([...decoder.push(bytes), ...decoder.flush()])
  t.match(usage, { input: 29, cacheRead: 8, output: 109, reasoning: 100 })
})
