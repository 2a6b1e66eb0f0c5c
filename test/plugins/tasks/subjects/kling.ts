/** Kling on the bench of the conformance kit. */
import create from '../../../../plugins/tasks/kling/index.js'
import type { TaskSubject } from '../../../conformance/index.js'
import { manifestOf, picture, recorded, reportOf } from './recorded.js'

const model = 'kling-v1-6'
const task = { ref: '867283741759111202', model, keep: { kind: 'text2video' } }
const succeeded = recorded('kling', 'succeeded')
const dimensions = {
  kind: 'text2video',
  mode: 'std',
  audio: 'false',
  voice: 'false',
  video_input: 'false',
}
const failed = {
  code: 0,
  data: { task_id: task.ref, task_status: 'failed', task_status_msg: 'risk control' },
}

export const kling: TaskSubject = {
  manifest: manifestOf('kling'),
  create,
  credentials: { key: 'access-key-of-the-kit|secret-key-of-the-kit' },
  requests: [
    {
      name: 'the least',
      body: { model, prompt: 'A cat' },
      url: '/v1/videos/text2video',
      sent: { model_name: model, prompt: 'A cat' },
      quantities: { counts: { second: 5, piece: 1 }, dimensions },
    },
    {
      name: 'a long one of a picture',
      body: { model, prompt: 'A cat', image: picture, seconds: '10', mode: 'pro' },
      url: '/v1/videos/image2video',
      sent: {
        model_name: model,
        image: 'iVBORw0KGgo=',
        prompt: 'A cat',
        mode: 'pro',
        duration: '10',
      },
      quantities: {
        counts: { second: 10, piece: 1 },
        dimensions: { ...dimensions, kind: 'image2video', mode: 'pro' },
      },
    },
  ],
  refused: [
    { body: { model, prompt: 'A cat', seconds: 7 }, param: 'seconds' },
    { body: { model, prompt: 'A cat', action: 'extend' }, param: 'action' },
  ],
  submissions: [
    { name: 'accepted', answer: recorded('kling', 'submitted'), expected: { ref: task.ref } },
    { name: 'refused', answer: recorded('kling', 'account') },
  ],
  polls: [
    { name: 'queued', task, answer: recorded('kling', 'submitted'), expected: { state: 'queued' } },
    {
      name: 'succeeded',
      task,
      answer: succeeded,
      expected: { state: 'succeeded', made: { counts: { second: 5, piece: 1 } } },
    },
    { name: 'failed', task, answer: failed, expected: { state: 'failed', reason: 'risk control' } },
  ],
  notices: [
    { name: 'succeeded', task, callback: reportOf(succeeded), expected: { state: 'succeeded' } },
  ],
  refusals: [{ status: 429, body: recorded('kling', 'account'), blame: 'channel' }],
}
