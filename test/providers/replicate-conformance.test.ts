/** Replicate under the conformance kits: its calls and refusals as a provider, its predictions as tasks. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import chat from '../../plugins/formats/chat/index.js'
import create from '../../providers/replicate/index.js'
import { conformingTask, type TaskSubject } from '../conformance/index.js'
import { conformingProvider } from '../conformance/provider.js'
import { inquiriesOf } from './upstream-query-cases.js'

const beside = (path: string) => readFileSync(new URL(path, import.meta.url)).toString()
const fixture = (name: string) => JSON.parse(beside(`../fixtures/replicate/${name}.json`))
const manifest = beside('../../providers/replicate/manifest.json')
const model = 'black-forest-labs/flux-schnell'
const version = 'someone/model:5c7d5dc6dd8bf75c1acaa8565735e798'
const request = { model, prompt: 'A cat', n: 2 }
const image = 'data:image/png;base64,iVBORw0KGgo='

conformingProvider((title, run) => t.test(title, async () => run()), {
  manifest,
  create,
  formats: () => chat(),
  calls: [
    { operation: 'images', wire: request },
    { operation: 'images', wire: { ...request, model: version } },
    { operation: 'edits', wire: { model: 'bytedance/seedream-4', prompt: 'Red', image } },
  ],
  inquiries: inquiriesOf('replicate'),
  streams: [],
  refusals: [
    refusal(401, 'You did not pass a valid authentication token', 'channel'),
    refusal(402, 'You have insufficient credit to run this model', 'channel'),
    refusal(404, 'The requested resource could not be found.', 'channel'),
    refusal(422, '- input: prompt is required', 'client'),
    refusal(429, 'Request was throttled. Expected available in 1 second.', 'channel'),
  ],
})

function refusal(status: number, detail: string, blame: 'client' | 'channel') {
  const body = { detail, status, title: 'x' }
  return { operation: 'images' as const, status, body, blame }
}

const task = { ref: 'ufawqhfynnddngldkgtslldrkq', model }
const url = `/v1/predictions/${task.ref}`
const predictions = '/v1/models/black-forest-labs/flux-schnell/predictions'

const subject: TaskSubject = {
  // The kit is of plugins of tasks, and this is a provider with one.
  manifest: JSON.stringify({ ...JSON.parse(manifest), id: 'task.replicate', kind: 'task' }),
  create,
  operation: 'images',
  requests: [
    {
      name: 'the least',
      body: { model, prompt: 'A cat' },
      url: predictions,
      sent: { input: { prompt: 'A cat' } },
      quantities: { counts: { piece: 1 }, dimensions: {} },
    },
    {
      name: 'several',
      body: { model, prompt: 'A cat', n: 2, size: '1024x1024', output_format: 'jpeg' },
      url: predictions,
      sent: {
        input: { prompt: 'A cat', num_outputs: 2, aspect_ratio: '1:1', output_format: 'jpg' },
      },
      quantities: { counts: { piece: 2 }, dimensions: {} },
    },
    {
      name: 'a version',
      body: { model: version, prompt: 'A cat' },
      url: '/v1/predictions',
      sent: { version, input: { prompt: 'A cat' } },
      quantities: { counts: { piece: 1 }, dimensions: {} },
    },
  ],
  refused: [
    { body: { model, prompt: 'A cat', size: 'huge' }, param: 'size' },
    { body: { model, prompt: 'A cat', stream: true }, param: 'stream' },
  ],
  submissions: [
    { name: 'under way', answer: fixture('processing'), expected: { ref: task.ref } },
    { name: 'finished', answer: fixture('succeeded'), expected: { ref: task.ref } },
    { name: 'failed', answer: fixture('failed'), expected: { ref: task.ref } },
    { name: 'flagged', answer: fixture('flagged') },
  ],
  polls: [
    { name: 'processing', task, answer: fixture('processing'), expected: { state: 'running' } },
    {
      name: 'starting',
      task,
      answer: { ...fixture('processing'), status: 'starting' },
      expected: { state: 'queued' },
    },
    {
      name: 'succeeded',
      task,
      answer: fixture('succeeded'),
      expected: { state: 'succeeded', made: { counts: { piece: 2 }, dimensions: {} } },
    },
    { name: 'failed', task, answer: fixture('failed'), expected: { state: 'failed' } },
    { name: 'flagged', task, answer: fixture('flagged'), expected: { state: 'failed' } },
    {
      name: 'canceled',
      task,
      answer: { ...fixture('processing'), status: 'canceled' },
      expected: { state: 'failed' },
    },
  ],
  cancels: [{ name: 'a prediction', task, url: `${url}/cancel` }],
  folded: [
    {
      name: 'pictures',
      poll: 'succeeded',
      request: 'several',
      expected: {
        json: {
          created: 1_767_225_600,
          data: [
            { url: 'https://replicate.delivery/xezq/a/out-0.webp' },
            { url: 'https://replicate.delivery/xezq/a/out-1.webp' },
          ],
        },
      },
    },
  ],
}

t.test('predictions as tasks', async (t) => {
  conformingTask((title, run) => t.test(title, async () => run()), subject)
})
