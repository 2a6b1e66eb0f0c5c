/** Doubao on the bench of the conformance kit. */
import create from '../../../../plugins/tasks/doubao/index.js'
import type { TaskSubject } from '../../../conformance/index.js'
import { manifestOf, recorded, reportOf } from './recorded.js'

const model = 'doubao-seedance-1-0-pro-250528'
const tasks = '/api/v3/contents/generations/tasks'
const task = { ref: 'cgt-20260521153338-abcde' }
const succeeded = recorded('doubao', 'succeeded')
const dimensions = {
  ...{ resolution: '1080p', audio: 'false', video_input: 'false', tier: 'default' },
  draft: 'false',
}

export const doubao: TaskSubject = {
  manifest: manifestOf('doubao'),
  create,
  requests: [
    {
      name: 'the least',
      body: { model, prompt: 'A cat' },
      url: tasks,
      quantities: { counts: { second: 5, piece: 1, token: 246_840 }, dimensions },
    },
    {
      name: 'a long one',
      body: { model, prompt: 'A cat', seconds: '10', size: '1280x720', seed: 7 },
      url: tasks,
      sent: {
        model,
        content: [{ type: 'text', text: 'A cat' }],
        ...{ resolution: '720p', ratio: '16:9', duration: 10, seed: 7 },
      },
      quantities: {
        counts: { second: 10, piece: 1, token: Math.ceil((1248 * 704 * 241) / 1024) },
        dimensions: { ...dimensions, resolution: '720p' },
      },
    },
  ],
  refused: [
    { body: { model, prompt: 'A cat', n: 2 }, param: 'n' },
    { body: { model, prompt: 'A cat', seconds: 5.5 }, param: 'seconds' },
  ],
  submissions: [
    { name: 'accepted', answer: { id: task.ref }, expected: { ref: task.ref } },
    { name: 'refused', answer: recorded('doubao', 'refused') },
  ],
  polls: [
    {
      name: 'running',
      task,
      answer: { id: task.ref, status: 'running' },
      expected: { state: 'running' },
    },
    {
      name: 'succeeded',
      task,
      answer: succeeded,
      expected: {
        state: 'succeeded',
        made: {
          counts: { token: 108_900, second: 5 },
          dimensions: { resolution: '720p' },
        },
      },
    },
    { name: 'failed', task, answer: recorded('doubao', 'failed'), expected: { state: 'failed' } },
    { name: 'of another', task, answer: { id: '7', status: 'failed' } },
  ],
  notices: [
    { name: 'succeeded', task, callback: reportOf(succeeded), expected: { state: 'succeeded' } },
  ],
  cancels: [{ name: 'a task', task, method: 'DELETE', url: `${tasks}/${task.ref}` }],
  refusals: [{ status: 400, body: recorded('doubao', 'refused'), blame: 'client' }],
}
