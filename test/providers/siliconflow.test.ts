/** SiliconFlow: images in its own words, and where everything goes. */
import t from 'tap'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { OperationName } from '../../kernel/contract/names.js'
import create from '../../providers/siliconflow/index.js'
import { adapterOf } from '../conformance/provider.js'

const provider = create()
const channel = { id: 1, type: 40, baseUrl: 'https://api.siliconflow.cn', settings: {} }

function shaped(fields: JsonObject, model = 'm'): JsonObject {
  const adapter = adapterOf(provider, 'images')
  const body = adapter.shape!({ kind: 'json', value: fields }, channel, model)
  return body.kind === 'json' ? body.value : {}
}

t.test('number and size have names of their own', async (t) => {
  t.strictSame(shaped({ model: 'm', prompt: 'p', n: 2, size: '768x1024', seed: 0 }), {
    model: 'm',
    prompt: 'p',
    seed: 0,
    batch_size: 2,
    image_size: '768x1024',
  })
  t.strictSame(shaped({ model: 'm', n: null, size: 'auto', response_format: 'url' }), {
    model: 'm',
  })
  t.strictSame(shaped({ n: 2, batch_size: 1, size: '1x1', image_size: '2x2' }), {
    batch_size: 1,
    image_size: '2x2',
  })
})

t.test(
  '[FMT-17] a size is required, so a model has a usual one, and one that takes none gets none',
  async (t) => {
    const { refuses } = adapterOf(provider, 'images')
    for (const [model, image_size] of [
      ['Kwai-Kolors/Kolors', '1024x1024'],
      ['Qwen/Qwen-Image', '1328x1328'],
      ['Qwen/Qwen-Image-Edit-2509', undefined],
      ['somebody/new', undefined],
    ] as const) {
      t.equal(shaped({ prompt: 'p' }, model).image_size, image_size, model)
      t.equal(
        shaped({ prompt: 'p', size: '1x1' }, model).image_size,
        '1x1',
        'what is requested wins',
      )
    }
    const lost = (model: string) => refuses?.({ image_size: '1x1' }, channel, model)
    t.strictSame(lost('Qwen/Qwen-Image-Edit'), ['image_size'])
    t.strictSame(lost('Qwen/Qwen-Image'), [])
  },
)

t.test('what the service does not give is refused by name', async (t) => {
  for (const fields of [{ stream: true }]) {
    t.throws(() => shaped(fields), { code: 'not_expressible' })
  }
})

t.test('every operation has the path its clients know', async (t) => {
  const paths = {
    chat: '/v1/chat/completions',
    embeddings: '/v1/embeddings',
    rerank: '/v1/rerank',
    images: '/v1/images/generations',
    speech: '/v1/audio/speech',
    transcriptions: '/v1/audio/transcriptions',
  }
  for (const [operation, path] of Object.entries(paths)) {
    const { url, headers } = adapterOf(provider, operation as OperationName).address(
      { kind: 'none' },
      channel,
      { key: 'k' },
      { now: 0, forwarded: { headers: {} }, model: 'm', stream: false },
    )
    t.equal(url, `https://api.siliconflow.cn${path}`)
    t.equal(headers.accept, operation === 'speech' ? '*/*' : 'application/json')
  }
})
