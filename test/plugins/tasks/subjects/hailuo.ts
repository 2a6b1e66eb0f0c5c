/** Hailuo on the bench of the conformance kit. */
import create from '../../../../plugins/tasks/hailuo/index.js'
import type { TaskSubject } from '../../../conformance/index.js'
import { manifestOf, picture, recorded } from './recorded.js'

const model = 'MiniMax-Hailuo-02'
const task = { ref: '176843862716480', model }
const file = { file_id: '176844028768320' }
const failed = {
  task_id: task.ref,
  status: 'Fail',
  base_resp: { status_code: 1027, status_msg: 'x' },
}

export const hailuo: TaskSubject = {
  manifest: manifestOf('hailuo'),
  create,
  channel: { baseUrl: 'https://api.minimax.example' },
  requests: [
    {
      name: 'the least',
      body: { model, prompt: 'A cat' },
      url: '/v1/video_generation',
      sent: { model, prompt: 'A cat' },
      quantities: { counts: { second: 6, piece: 1 }, dimensions: { resolution: '768p' } },
    },
    {
      name: 'a long one with its first picture',
      body: { model, prompt: 'A cat', image: picture, seconds: 10, resolution: '768p' },
      url: '/v1/video_generation',
      sent: {
        model,
        prompt: 'A cat',
        first_frame_image: picture,
        duration: 10,
        resolution: '768P',
      },
      quantities: { counts: { second: 10, piece: 1 }, dimensions: { resolution: '768p' } },
    },
  ],
  refused: [{ body: { model, prompt: 'A cat', seconds: 5 }, param: 'seconds' }],
  submissions: [
    {
      name: 'accepted',
      answer: { task_id: task.ref, base_resp: { status_code: 0, status_msg: 'success' } },
      expected: { ref: task.ref },
    },
    { name: 'refused', answer: { base_resp: { status_code: 1008, status_msg: 'insufficient' } } },
  ],
  polls: [
    {
      name: 'made, its file unknown',
      task,
      answer: recorded('hailuo', 'query'),
      expected: { state: 'running', again: true },
    },
    {
      name: 'succeeded',
      task: { ...task, keep: file },
      answer: recorded('hailuo', 'file'),
      expected: { state: 'succeeded' },
    },
    { name: 'failed', task, answer: failed, expected: { state: 'failed' } },
  ],
}
