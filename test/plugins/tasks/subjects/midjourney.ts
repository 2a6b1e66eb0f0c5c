/** The proxy of Midjourney on the bench of the conformance kit. */
import create from '../../../../plugins/tasks/midjourney/index.js'
import type { TaskSubject } from '../../../conformance/index.js'
import { manifestOf, recorded, reportOf } from './recorded.js'

const imagined = recorded('midjourney', 'imagine-succeeded')
const ref = String(imagined.id)
const task = { ref, action: 'imagine', model: 'mj_imagine' }
const failed = recorded('midjourney', 'failed')
const seed = {
  type: 'file',
  url: 'https://oa.api2d.net/mj/task/1/image-seed',
  keyed: true,
} as const

export const midjourney: TaskSubject = {
  manifest: manifestOf('midjourney'),
  create,
  requests: [
    {
      name: 'the least',
      body: { model: 'mj_imagine', action: 'imagine', prompt: 'a cat' },
      url: '/mj/submit/imagine',
      sent: { prompt: 'a cat' },
      quantities: { counts: { piece: 1 }, dimensions: { mode: 'fast', action: 'imagine' } },
    },
    {
      name: 'a change, slowly',
      body: { model: 'mj_upscale', action: 'change', verb: 'UPSCALE', index: 1, speed: 'relax' },
      context: { origin: { ...task, keep: {}, results: [] } },
      url: '/mj-relax/mj/submit/change',
      sent: { index: 1, action: 'UPSCALE', taskId: ref },
      quantities: { counts: { piece: 1 }, dimensions: { mode: 'relax', action: 'change' } },
    },
  ],
  refused: [{ body: { model: 'mj_upscale', action: 'change' }, param: 'taskId' }],
  submissions: [
    { name: 'accepted', answer: { code: 1, description: 'ok', result: ref }, expected: { ref } },
    { name: 'refused', answer: recorded('midjourney', 'banned') },
  ],
  polls: [
    {
      name: 'running',
      task,
      answer: [{ ...imagined, status: 'IN_PROGRESS', progress: '30%' }],
      expected: { state: 'running', percent: 30 },
    },
    { name: 'succeeded', task, answer: [imagined], expected: { state: 'succeeded', percent: 100 } },
    {
      name: 'failed',
      task: { ...task, ref: String(failed.id) },
      answer: [failed, imagined],
      expected: { state: 'failed' },
    },
    { name: 'of others', task: { ref: '5' }, answer: [failed, imagined] },
  ],
  notices: [
    { name: 'succeeded', task, callback: reportOf(imagined), expected: { state: 'succeeded' } },
  ],
  contents: [{ name: 'the seed', task, result: seed, url: `/mj/task/${ref}/image-seed` }],
}
