/** Suno-API on the bench of the conformance kit. */
import type { JsonObject } from '../../../../kernel/contract/json.js'
import create from '../../../../plugins/tasks/suno/index.js'
import type { TaskSubject } from '../../../conformance/index.js'
import { manifestOf, recorded, reportOf } from './recorded.js'

const model = 'suno_music'
const fetched = recorded('suno', 'fetched') as { data: readonly JsonObject[] }
const [song] = fetched.data as readonly [JsonObject]
const task = { ref: String(song.task_id), action: 'music', model }
const failed = { ...song, status: 'FAILURE', fail_reason: 'It was blocked.', data: [] }

export const suno: TaskSubject = {
  manifest: manifestOf('suno'),
  create,
  requests: [
    {
      name: 'the least',
      body: { model, action: 'music', prompt: 'a weekend' },
      url: '/suno/submit/music',
      sent: { prompt: 'a weekend' },
      quantities: { counts: { piece: 1 }, dimensions: { action: 'music', instrumental: 'false' } },
    },
    {
      name: 'of a certain model',
      body: { model, action: 'music', prompt: 'x', mv: 'chirp-v4', make_instrumental: true },
      url: '/suno/submit/music',
      sent: { prompt: 'x', mv: 'chirp-v4', make_instrumental: true },
      quantities: {
        counts: { piece: 1 },
        dimensions: { action: 'music', mv: 'chirp-v4', instrumental: 'true' },
      },
    },
  ],
  refused: [{ body: { model, action: 'music', prompt: 'x', task_id: 'task_1' }, param: 'task_id' }],
  submissions: [
    { name: 'accepted', answer: { code: 'success', data: task.ref }, expected: { ref: task.ref } },
    { name: 'refused', answer: { code: 'invalid_request', message: 'prompt is empty' } },
  ],
  polls: [
    {
      name: 'succeeded',
      task,
      answer: { ...fetched },
      expected: { state: 'succeeded', percent: 100 },
    },
    {
      name: 'failed',
      task,
      answer: { code: 'success', data: [failed] },
      expected: { state: 'failed', reason: 'It was blocked.' },
    },
    { name: 'of others', task: { ref: '5' }, answer: { ...fetched } },
  ],
  notices: [
    { name: 'succeeded', task, callback: reportOf(song), expected: { state: 'succeeded' } },
  ],
}
