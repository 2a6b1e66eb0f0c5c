/** The Videos API of OpenAI on the bench of the conformance kit. */
import create from '../../../../plugins/tasks/sora/index.js'
import type { TaskSubject } from '../../../conformance/index.js'
import { bytesAnswer } from '../../../conformance/task-bench.js'
import { manifestOf, recorded } from './recorded.js'

const model = 'sora-2'
const completed = recorded('sora', 'completed')
const task = { ref: String(completed.id), model }
const gone = { error: { message: `Video with id '${task.ref}' not found.` } }
const clip = `https://api.openai.com/v1/videos/${task.ref}/content`

export const sora: TaskSubject = {
  manifest: manifestOf('sora'),
  create,
  requests: [
    {
      name: 'the least',
      body: { model, prompt: 'A cat' },
      url: '/v1/videos',
      sent: { model, prompt: 'A cat' },
      quantities: {
        counts: { second: 4, piece: 1 },
        dimensions: { size: '720x1280', resolution: '720p' },
      },
    },
    {
      name: 'a long one',
      body: { model, prompt: 'A cat', seconds: 8, size: '1280x720' },
      url: '/v1/videos',
      sent: { model, prompt: 'A cat', seconds: '8', size: '1280x720' },
      quantities: {
        counts: { second: 8, piece: 1 },
        dimensions: { size: '1280x720', resolution: '720p' },
      },
    },
    {
      name: 'a remix',
      body: { model, action: 'remix', prompt: 'A dog' },
      context: {
        origin: {
          ...task,
          action: 'generate',
          keep: { seconds: 12, size: '1280x720' },
          results: [],
        },
      },
      url: `/v1/videos/${task.ref}/remix`,
      sent: { prompt: 'A dog' },
      quantities: {
        counts: { second: 12, piece: 1 },
        dimensions: { size: '1280x720', resolution: '720p' },
      },
    },
  ],
  refused: [
    { body: { model, prompt: 'A cat', seconds: 5 }, param: 'seconds' },
    { body: { model, prompt: 'A cat', action: 'remix' }, param: 'action' },
  ],
  submissions: [
    { name: 'accepted', answer: recorded('sora', 'queued'), expected: { ref: task.ref } },
    { name: 'refused', answer: { error: { message: 'No.', code: 'moderation_blocked' } } },
  ],
  polls: [
    { name: 'queued', task, answer: recorded('sora', 'queued'), expected: { state: 'queued' } },
    {
      name: 'succeeded',
      task,
      answer: completed,
      expected: {
        state: 'succeeded',
        made: {
          counts: { second: 8, piece: 1 },
          dimensions: { size: '1280x720', resolution: '720p' },
        },
      },
    },
    { name: 'failed', task, answer: recorded('sora', 'failed'), expected: { state: 'failed' } },
  ],
  ended: [
    {
      name: 'gone',
      task,
      answer: bytesAnswer(Buffer.from(JSON.stringify(gone)), 'application/json', 404),
      expected: { state: 'failed' },
    },
  ],
  contents: [
    { name: 'a clip', task, result: { type: 'video', url: clip, keyed: true }, url: clip },
  ],
}
