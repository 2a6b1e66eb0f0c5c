/** The Replicate provider under the conformance kit. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import chat from '../../plugins/formats/chat/index.js'
import create from '../../providers/replicate/index.js'
import { conformingProvider, type ProviderAnswer } from '../conformance/provider.js'

const beside = (path: string) => readFileSync(new URL(path, import.meta.url))
const request = { model: 'black-forest-labs/flux-schnell', prompt: 'A cat', n: 2 }

conformingProvider((title, run) => t.test(title, async () => run()), {
  manifest: beside('../../providers/replicate/manifest.json').toString(),
  create,
  formats: () => chat(),
  calls: [
    { operation: 'images', wire: request },
    {
      operation: 'images',
      wire: { ...request, model: 'someone/model:5c7d5dc6dd8bf75c1acaa8565735e798' },
    },
  ],
  streams: [],
  answers: [
    answer('succeeded', {
      created: 1_796_083_200,
      data: [
        { url: 'https://replicate.delivery/xezq/a/out-0.webp' },
        { url: 'https://replicate.delivery/xezq/a/out-1.webp' },
      ],
    }),
    answer('processing'),
    answer('flagged'),
    answer('failed'),
  ],
  refusals: [
    refusal(401, 'You did not pass a valid authentication token', 'channel'),
    refusal(402, 'You have insufficient credit to run this model', 'channel'),
    refusal(404, 'The requested resource could not be found.', 'channel'),
    refusal(422, '- input: prompt is required', 'client'),
    refusal(429, 'Request was throttled. Expected available in 1 second.', 'channel'),
  ],
})

function answer(name: string, json?: ProviderAnswer['json']): ProviderAnswer {
  const body = beside(`../fixtures/replicate/${name}.json`)
  return { name, operation: 'images', request, body, ...(json !== undefined && { json }) }
}

function refusal(status: number, detail: string, blame: 'client' | 'channel') {
  const body = { detail, status, title: 'x' }
  return { operation: 'images' as const, status, body, blame }
}
