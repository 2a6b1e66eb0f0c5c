/** Jimeng on the bench of the conformance kit. */
import create from '../../../../plugins/tasks/jimeng/index.js'
import type { TaskSubject } from '../../../conformance/index.js'
import { bytesAnswer } from '../../../conformance/task-bench.js'
import { manifestOf, recorded } from './recorded.js'

const model = 'jimeng_v30'
const task = { ref: '7602141718759103050', model, keep: { req_key: 'jimeng_t2v_v30' } }
const url = '/?Action=CVSync2AsyncSubmitTask&Version=2022-08-31'
const dimensions = { way: 'jimeng_t2v_v30', resolution: '720p' }

export const jimeng: TaskSubject = {
  manifest: manifestOf('jimeng'),
  create,
  credentials: { key: 'AKLTconformance|c2VjcmV0LW9mLXRoZS1raXQ=' },
  requests: [
    {
      name: 'the least',
      body: { model, prompt: 'A cat' },
      url,
      sent: { req_key: 'jimeng_t2v_v30', prompt: 'A cat' },
      quantities: { counts: { second: 5, piece: 1 }, dimensions },
    },
    {
      name: 'a long one',
      body: { model, prompt: 'A cat', seconds: 10, aspect_ratio: '16:9' },
      url,
      sent: { req_key: 'jimeng_t2v_v30', prompt: 'A cat', frames: 241, aspect_ratio: '16:9' },
      quantities: { counts: { second: 10, piece: 1 }, dimensions },
    },
  ],
  refused: [{ body: { model, prompt: 'A cat', seconds: 7 }, param: 'seconds' }],
  submissions: [
    { name: 'accepted', answer: recorded('jimeng', 'submitted'), expected: { ref: task.ref } },
    { name: 'refused', answer: recorded('jimeng', 'key') },
  ],
  polls: [
    {
      name: 'running',
      task,
      answer: { code: 10000, data: { task_id: task.ref, status: 'generating' } },
      expected: { state: 'running' },
    },
    {
      name: 'succeeded',
      task,
      answer: recorded('jimeng', 'done'),
      expected: { state: 'succeeded' },
    },
    { name: 'failed', task, answer: recorded('jimeng', 'stopped'), expected: { state: 'failed' } },
  ],
  ended: [
    {
      name: 'stopped by the filter',
      task,
      answer: bytesAnswer(
        Buffer.from(JSON.stringify(recorded('jimeng', 'stopped'))),
        'application/json',
        400,
      ),
      expected: { state: 'failed', reason: 'Pre Img Risk Not Pass' },
    },
  ],
  refusals: [{ status: 400, body: recorded('jimeng', 'key'), blame: 'channel' }],
}
