/** An upstream of JSON, as the settings of a channel describe it, on the bench of the conformance kit. */
import create from '../../../../plugins/tasks/video/index.js'
import type { TaskSubject } from '../../../conformance/index.js'
import { manifestOf, recorded } from './recorded.js'

const model = 'clip-1'
const usage = recorded('video', 'usage')
const bare = recorded('video', 'bare')
const task = { ref: String(usage.task_id), model }
const own = 'https://upstream.example/v1/videos/task_1/content'

export const video: TaskSubject = {
  manifest: manifestOf('video'),
  create,
  channel: { baseUrl: 'https://upstream.example' },
  requests: [
    {
      name: 'the least',
      body: { model, prompt: 'A cat' },
      url: '/v1/video/generations',
      sent: { model, prompt: 'A cat', duration: 5 },
      quantities: { counts: { second: 5, piece: 1, token: 108_000 }, dimensions: {} },
    },
    {
      name: 'a long one',
      body: { model, prompt: 'A cat', seconds: '10', size: '1280x720' },
      url: '/v1/video/generations',
      sent: { model, prompt: 'A cat', duration: 10, size: '1280x720', width: 1280, height: 720 },
      quantities: {
        counts: { second: 10, piece: 1, token: 216_000 },
        dimensions: { resolution: '720p', size: '1280x720' },
      },
    },
  ],
  refused: [{ body: { model, prompt: 'A cat', image: 'ftp://x' }, param: 'image' }],
  submissions: [
    { name: 'accepted', answer: { task_id: task.ref }, expected: { ref: task.ref } },
    { name: 'refused', answer: { error: { message: 'No.' } } },
  ],
  polls: [
    {
      name: 'succeeded',
      task,
      answer: usage,
      expected: { state: 'succeeded', made: { counts: { token: 246_840 } } },
    },
    {
      name: 'bare',
      task: { ref: String(bare.task_id), model },
      answer: bare,
      expected: { state: 'succeeded' },
    },
    {
      name: 'failed',
      task,
      answer: { task_id: task.ref, status: 'failed', error: { message: 'It was blocked.' } },
      expected: { state: 'failed', reason: 'It was blocked.' },
    },
  ],
  contents: [{ name: 'a clip', task, result: { type: 'video', url: own, keyed: true }, url: own }],
}
