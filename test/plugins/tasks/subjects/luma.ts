/** Luma on the bench of the conformance kit. */
import create from '../../../../plugins/tasks/luma/index.js'
import type { TaskSubject } from '../../../conformance/index.js'
import { manifestOf, picture, recorded, reportOf } from './recorded.js'

const model = 'ray-2'
const url = '/dream-machine/v1/generations'
const completed = recorded('luma', 'completed')
const task = { ref: String(completed.id), model }
const failed = { id: task.ref, state: 'failed', failure_reason: 'It was blocked.' }

export const luma: TaskSubject = {
  manifest: manifestOf('luma'),
  create,
  requests: [
    {
      name: 'the least',
      body: { model, prompt: 'A cat' },
      url,
      sent: { model, prompt: 'A cat', duration: '5s', resolution: '720p' },
      quantities: {
        counts: { second: 5, piece: 1 },
        dimensions: { resolution: '720p', aspect_ratio: '16:9' },
      },
    },
    {
      name: 'a long one',
      body: { model, prompt: 'A cat', seconds: 9, size: '1920x1080' },
      url,
      sent: { model, prompt: 'A cat', aspect_ratio: '16:9', duration: '9s', resolution: '1080p' },
      quantities: {
        counts: { second: 9, piece: 1 },
        dimensions: { resolution: '1080p', aspect_ratio: '16:9' },
      },
    },
  ],
  refused: [
    { body: { model, prompt: 'A cat', seconds: 10 }, param: 'seconds' },
    { body: { model, prompt: 'A cat', image: picture }, param: 'image' },
  ],
  submissions: [
    {
      name: 'accepted',
      answer: { id: task.ref, state: 'queued' },
      expected: { ref: task.ref },
    },
    { name: 'refused', answer: { detail: 'Prompt not allowed' } },
  ],
  polls: [
    {
      name: 'running',
      task,
      answer: { id: task.ref, state: 'dreaming' },
      expected: { state: 'running' },
    },
    { name: 'succeeded', task, answer: completed, expected: { state: 'succeeded' } },
    {
      name: 'failed',
      task,
      answer: failed,
      expected: { state: 'failed', reason: 'It was blocked.' },
    },
  ],
  notices: [
    { name: 'succeeded', task, callback: reportOf(completed), expected: { state: 'succeeded' } },
  ],
}
