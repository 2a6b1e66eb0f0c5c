/** Veo on the bench of the conformance kit, at both services. */
import create from '../../../../plugins/tasks/veo/index.js'
import type { TaskSubject } from '../../../conformance/index.js'
import { manifestOf, recorded } from './recorded.js'

const model = 'veo-3.1-generate-preview'
const ref = 'models/veo-3.1-generate-preview/operations/abc123def456'
const task = { ref, model, keep: { seconds: 6 } }
const quantities = {
  counts: { second: 8, piece: 1 },
  dimensions: { resolution: '720p', aspect_ratio: '16:9', audio: 'true' },
}
const gemini = 'https://generativelanguage.googleapis.com'
const file = `${gemini}/v1beta/files/xyz789:download?alt=media`
const bucket = 'https://storage.googleapis.com/storage/v1/b/bucket/o/sample_0.mp4?alt=media'
const failed = { done: true, error: { code: 3, message: 'It was blocked.' } }

export const veoOnGemini: TaskSubject = {
  manifest: manifestOf('veo'),
  create,
  channel: { type: 24, baseUrl: gemini },
  requests: [
    {
      name: 'the least',
      body: { model, prompt: 'A cat' },
      url: `/v1beta/models/${model}:predictLongRunning`,
      quantities,
    },
    {
      name: 'two long ones',
      body: { model, prompt: 'A cat', seconds: 6, n: 2, size: '720x1280', seed: 7 },
      url: `/v1beta/models/${model}:predictLongRunning`,
      quantities: {
        counts: { second: 12, piece: 2 },
        dimensions: { ...quantities.dimensions, aspect_ratio: '9:16' },
      },
    },
  ],
  refused: [{ body: { model, prompt: 'A cat', seconds: 5 }, param: 'seconds' }],
  submissions: [
    { name: 'accepted', answer: { name: ref }, expected: { ref, keep: { seconds: 8 } } },
    { name: 'refused', answer: { error: { code: 400, message: 'No.' } } },
  ],
  polls: [
    { name: 'running', task, answer: { name: ref }, expected: { state: 'running' } },
    {
      name: 'succeeded',
      task,
      answer: recorded('veo', 'gemini'),
      expected: { state: 'succeeded', made: { counts: { piece: 1, second: 6 } } },
    },
    { name: 'filtered', task, answer: recorded('veo', 'filtered'), expected: { state: 'failed' } },
    { name: 'failed', task, answer: { name: ref, ...failed }, expected: { state: 'failed' } },
  ],
  contents: [
    { name: 'a clip', task, result: { type: 'video', url: file, keyed: true }, url: file },
  ],
}

const made = recorded('veo', 'vertex')
const place =
  'https://us-central1-aiplatform.googleapis.com/v1/projects/acme-1/locations/us-central1'
const ofVertex = {
  ...task,
  ref: 'projects/acme-1/locations/us-central1/publishers/google/models/veo-x/operations/o1',
}

export const veoOnVertex: TaskSubject = {
  ...veoOnGemini,
  channel: {
    type: 41,
    baseUrl: 'https://aiplatform.googleapis.com',
    settings: { region: 'us-central1' },
  },
  credentials: { key: JSON.stringify({ project_id: 'acme-1' }), token: 'token-of-the-kit-1' },
  requests: veoOnGemini.requests.map((one) => ({
    ...one,
    url: `${place}/publishers/google/models/${model}:predictLongRunning`,
  })),
  submissions: [
    { name: 'accepted', answer: { name: ofVertex.ref }, expected: { ref: ofVertex.ref } },
    { name: 'refused', answer: { error: { code: 400, message: 'No.' } } },
  ],
  polls: [
    {
      name: 'running',
      task: ofVertex,
      answer: { name: ofVertex.ref },
      expected: { state: 'running' },
    },
    {
      name: 'succeeded',
      task: ofVertex,
      answer: { ...made, name: ofVertex.ref },
      expected: { state: 'succeeded', made: { counts: { piece: 2, second: 12 } } },
    },
    {
      name: 'failed',
      task: ofVertex,
      answer: { name: ofVertex.ref, ...failed },
      expected: { state: 'failed' },
    },
  ],
  contents: [
    { name: 'a clip', task, result: { type: 'video', url: bucket, keyed: true }, url: bucket },
  ],
}
