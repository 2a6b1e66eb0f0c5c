/** Wan on the bench of the conformance kit. */
import create from '../../../../plugins/tasks/wan/index.js'
import type { TaskSubject } from '../../../conformance/index.js'
import { manifestOf, recorded } from './recorded.js'

const model = 'wan2.6-t2v'
const url = '/api/v1/services/aigc/video-generation/video-synthesis'
const task = { ref: '0385dc79-5ff8-4d82-bcb6-7a1c1c2f3d55', model }
const failed = { ref: '86ecf553-d340-4e21-af6e-a0c6a421c010', model }

export const wan: TaskSubject = {
  manifest: manifestOf('wan'),
  create,
  channel: { baseUrl: 'https://dashscope.aliyuncs.com' },
  requests: [
    {
      name: 'the least',
      body: { model, prompt: 'A cat' },
      url,
      sent: { model, input: { prompt: 'A cat' }, parameters: {} },
      quantities: {
        counts: { second: 5, piece: 1 },
        dimensions: { resolution: '1080p', audio: 'true' },
      },
    },
    {
      name: 'a long one',
      body: { model, prompt: 'A cat', seconds: 10, size: '1280x720' },
      url,
      sent: { model, input: { prompt: 'A cat' }, parameters: { size: '1280*720', duration: 10 } },
      quantities: {
        counts: { second: 10, piece: 1 },
        dimensions: { resolution: '720p', size: '1280*720', audio: 'true' },
      },
    },
  ],
  refused: [{ body: { model, prompt: 'A cat', seconds: 16 }, param: 'seconds' }],
  submissions: [
    {
      name: 'accepted',
      answer: { output: { task_id: task.ref, task_status: 'PENDING' }, request_id: 'r' },
      expected: { ref: task.ref },
    },
    { name: 'refused', answer: { code: 'InvalidParameter', message: 'No.' } },
  ],
  polls: [
    {
      name: 'running',
      task,
      answer: { output: { task_id: task.ref, task_status: 'RUNNING' } },
      expected: { state: 'running' },
    },
    {
      name: 'succeeded',
      task,
      answer: recorded('wan', 'succeeded'),
      expected: {
        state: 'succeeded',
        made: { counts: { second: 10 }, dimensions: { resolution: '720p' } },
      },
    },
    {
      name: 'failed',
      task: failed,
      answer: recorded('wan', 'failed'),
      expected: { state: 'failed' },
    },
  ],
  cancels: [{ name: 'a task', task, url: `/api/v1/tasks/${task.ref}/cancel` }],
}

const painter = 'wan2.2-t2i-flash'
const painting = { ref: '7f1d4f2e-5d8b-4a4e-9a34-2f9f5a1c0f11', model: painter }

export const wanImages: TaskSubject = {
  manifest: manifestOf('wan'),
  create,
  operation: 'images',
  channel: { baseUrl: 'https://dashscope.aliyuncs.com' },
  requests: [
    {
      name: 'the least',
      body: { model: painter, prompt: 'A cat' },
      url: '/api/v1/services/aigc/text2image/image-synthesis',
      sent: {
        model: painter,
        input: { prompt: 'A cat' },
        parameters: { size: '1024*1024', n: 1 },
      },
      quantities: { counts: { piece: 1 }, dimensions: { size: '1024*1024' } },
    },
    {
      name: 'several',
      body: { model: painter, prompt: 'A cat', n: 2, size: '768x1024', negative_prompt: 'dogs' },
      url: '/api/v1/services/aigc/text2image/image-synthesis',
      sent: {
        model: painter,
        input: { prompt: 'A cat', negative_prompt: 'dogs' },
        parameters: { size: '768*1024', n: 2 },
      },
      quantities: { counts: { piece: 2 }, dimensions: { size: '768*1024' } },
    },
  ],
  refused: [
    { body: { model: painter, prompt: 'A cat', n: 5 }, param: 'n' },
    { body: { model: painter, prompt: 'A cat', stream: true }, param: 'stream' },
  ],
  submissions: [
    {
      name: 'accepted',
      answer: { output: { task_id: painting.ref, task_status: 'PENDING' }, request_id: 'r' },
      expected: { ref: painting.ref },
    },
    { name: 'refused', answer: { code: 'InvalidParameter', message: 'No.' } },
  ],
  polls: [
    {
      name: 'succeeded',
      task: painting,
      answer: {
        request_id: 'r',
        output: {
          ...{ task_id: painting.ref, task_status: 'SUCCEEDED' },
          results: [
            { url: 'https://cdn.example/a.png', orig_prompt: 'A cat', actual_prompt: 'A cat, ink' },
            { code: 'DataInspectionFailed', message: 'No.' },
            { url: 'https://cdn.example/b.png' },
          ],
        },
        usage: { image_count: 2 },
      },
      expected: { state: 'succeeded', made: { counts: { piece: 2 }, dimensions: {} } },
    },
    {
      name: 'failed',
      task: painting,
      answer: {
        output: { task_id: painting.ref, task_status: 'FAILED', code: 'InternalError' },
      },
      expected: { state: 'failed', reason: 'InternalError' },
    },
  ],
  cancels: [{ name: 'a task', task: painting, url: `/api/v1/tasks/${painting.ref}/cancel` }],
  folded: [
    {
      name: 'pictures',
      poll: 'succeeded',
      request: 'several',
      expected: {
        json: {
          created: 1_767_225_600,
          data: [
            { url: 'https://cdn.example/a.png', revised_prompt: 'A cat, ink' },
            { url: 'https://cdn.example/b.png' },
          ],
        },
      },
    },
  ],
}
