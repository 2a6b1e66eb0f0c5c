/** Vidu on the bench of the conformance kit. */
import create from '../../../../plugins/tasks/vidu/index.js'
import type { TaskSubject } from '../../../conformance/index.js'
import { manifestOf, picture, recorded, reportOf } from './recorded.js'

const model = 'viduq2'
const submitted = recorded('vidu', 'submitted')
const succeeded = recorded('vidu', 'succeeded')
const task = { ref: String(submitted.task_id), model }
const named = { ...succeeded, id: task.ref }
const dimensions = {
  ...{ kind: 'text2video', resolution: '720p', audio: 'false', off_peak: 'false' },
  recommended_prompt: 'false',
}

export const vidu: TaskSubject = {
  manifest: manifestOf('vidu'),
  create,
  requests: [
    {
      name: 'the least',
      body: { model, prompt: 'A cat' },
      url: '/ent/v2/text2video',
      sent: { model, prompt: 'A cat' },
      quantities: { counts: { second: 5, piece: 1 }, dimensions },
    },
    {
      name: 'a long one of a picture',
      body: { model, prompt: 'A cat', image: picture, seconds: 8, resolution: '1080p' },
      url: '/ent/v2/img2video',
      sent: { model, prompt: 'A cat', images: [picture], duration: 8, resolution: '1080p' },
      quantities: {
        counts: { second: 8, piece: 1 },
        dimensions: { ...dimensions, kind: 'img2video', resolution: '1080p' },
      },
    },
  ],
  refused: [{ body: { model, prompt: 'A cat', resolution: '4k' }, param: 'resolution' }],
  submissions: [
    {
      name: 'accepted',
      answer: submitted,
      expected: {
        ref: task.ref,
        made: { counts: { second: 5 }, dimensions: { resolution: '720p' } },
      },
    },
    { name: 'refused', answer: recorded('vidu', 'refused') },
  ],
  polls: [
    { name: 'running', task, answer: { state: 'processing' }, expected: { state: 'running' } },
    { name: 'succeeded', task, answer: succeeded, expected: { state: 'succeeded' } },
    { name: 'succeeded, with its id', task, answer: named, expected: { state: 'succeeded' } },
    {
      name: 'failed',
      task,
      answer: { state: 'failed', err_code: 'CreationPolicyViolation' },
      expected: { state: 'failed', reason: 'CreationPolicyViolation' },
    },
  ],
  notices: [
    { name: 'succeeded', task, callback: reportOf(named), expected: { state: 'succeeded' } },
  ],
  cancels: [{ name: 'a task', task, url: `/ent/v2/tasks/${task.ref}/cancel` }],
  refusals: [{ status: 400, body: recorded('vidu', 'refused'), blame: 'client' }],
}
