/** A sound task type that can all a task type can, what the kit needs to try it, and what the kit finds in a copy with a fault. */
import { createHmac } from 'node:crypto'
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import type { Provider } from '../../kernel/contract/provider.js'
import type { Progress, TaskAdapter } from '../../kernel/contract/task.js'
import { garbled, Refusal, upstreamFailure } from '../../kernel/toolkit/errors/index.js'
import { jsonOf } from '../../kernel/toolkit/operation/index.js'
import {
  answerObject,
  listAt,
  numberAt,
  quantities,
  refAt,
  stateReader,
  textAt,
  videoRequest,
} from '../../kernel/toolkit/task/index.js'
import { conformingTask, type TaskSubject } from './task.js'
import { bytesAnswer } from './task-bench.js'

const manifest = JSON.stringify({
  ...{ id: 'task.acme', kind: 'task', engines: { waybill: '^1.0' }, version: '1.0.0' },
  ...{ title: 'Acme clips', entry: './index.js', hosts: ['channel'] },
  channelTypes: [{ name: 'clips', title: 'Acme', baseUrl: 'https://api.acme.example' }],
})

const stateOf = stateReader({
  queued: ['waiting'],
  running: ['working'],
  succeeded: ['done'],
  failed: ['broken'],
})

const call = (method: 'GET' | 'POST' | 'DELETE', url: string, key: string) => ({
  ...{ method, url },
  headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
})

export const sound: TaskAdapter = {
  format: 'task',
  shape(body, _, model, { callbackUrl } = {}) {
    const { prompt, seconds, resolution, metadata } = videoRequest(jsonOf(body))
    const { model: __, notify: ___, ...words } = metadata
    const value: JsonObject = {
      ...{ model, prompt },
      ...(seconds !== undefined && { seconds }),
      ...(resolution !== undefined && { resolution }),
      ...words,
      ...(callbackUrl !== undefined && { notify: callbackUrl }),
    }
    return { kind: 'json', value }
  },
  quantities(wire) {
    const seconds = numberAt(jsonOf(wire), 'seconds')
    return quantities(
      { second: seconds !== undefined && seconds > 0 ? seconds : 5, piece: 1 },
      { resolution: textAt(jsonOf(wire), 'resolution') ?? '720p' },
    )
  },
  address: (_, { baseUrl }, { key }) => call('POST', `${baseUrl}/clips`, key),
  submitted(answer) {
    const ref = refAt(answerObject(answer), 'id')
    if (ref !== undefined) return { ref, keep: { way: 'clip' } }
    return { failure: upstreamFailure({ ...answer, status: 502, head: answer.body }) }
  },
  poll: {
    batch: 10,
    request: (refs, { baseUrl }, { key }) => ({
      ...call('POST', `${baseUrl}/clips/list`, key),
      body: JSON.stringify({ ids: refs.map(({ ref }) => ref) }),
    }),
    read: (answer, refs) =>
      listAt(answerObject(answer), 'clips')
        .filter(isObject)
        .filter((clip) => refs.some(({ ref }) => textAt(clip, 'id') === ref))
        .map(progressOf),
    readRefusal(answer, { ref }) {
      const raw = answerObject(answer)
      const isGone = answer.status === 410 && raw.gone === ref
      return isGone ? { ref, state: 'failed', reason: 'It is gone.', raw } : undefined
    },
  },
  notice({ body, headers }, { ref }) {
    if (headers['acme-signature'] !== signatureOf(body)) throw new Refusal('invalid_request')
    const report = answerObject({ status: 200, headers: {}, body })
    return report.id === ref ? progressOf(report) : undefined
  },
  content: ({ ref }, _, { baseUrl }, { key }) =>
    call('GET', `${baseUrl}/clips/${encodeURIComponent(ref)}/bytes`, key),
  cancel: ({ ref }, { baseUrl }, { key }) =>
    call('DELETE', `${baseUrl}/clips/${encodeURIComponent(ref)}`, key),
  fail: (status, headers, head) => upstreamFailure({ status, headers, head }),
}

/** The same for an operation that has an answer of its own. */
export const soundPictures: TaskAdapter = {
  ...sound,
  folded({ results = [], updatedAt = 0 }) {
    const pictures = results.flatMap(({ url }) => (url === undefined ? [] : [{ url }]))
    if (pictures.length === 0) return { failure: garbled() }
    return { json: { created: Math.floor(updatedAt / 1000), data: pictures } }
  },
}

function progressOf(clip: JsonObject): Progress {
  const percent = numberAt(clip, 'percent')
  const seconds = numberAt(clip, 'seconds')
  const url = textAt(clip, 'url')
  const isPublic = url !== undefined && /^https?:/i.test(url) && URL.canParse(url)
  return {
    ref: textAt(clip, 'id') ?? '',
    state: stateOf(clip.status),
    word: textAt(clip, 'status'),
    reason: textAt(clip, 'reason'),
    ...(percent !== undefined && { percent: Math.min(Math.max(percent, 0), 100) }),
    ...(isPublic && { results: [{ type: 'video', url, keyed: true }] }),
    ...(seconds !== undefined && { made: quantities({ second: seconds }) }),
    raw: clip,
  }
}

function signatureOf(body: Buffer): string {
  return createHmac('sha256', 'what Acme signs with').update(body).digest('hex')
}

const model = 'acme-1'
const task = { ref: 'clip-41', model }
const done: Json = {
  ...{ id: 'clip-41', status: 'done', percent: 100, seconds: 5 },
  url: 'https://cdn.acme.example/41.mp4',
}
const report = Buffer.from(JSON.stringify(done))
const second = { counts: { second: 5, piece: 1 }, dimensions: { resolution: '720p' } }

function subjectOf(adapter: TaskAdapter): TaskSubject {
  return {
    manifest,
    create: (): Provider => ({ operations: { video: adapter } }),
    requests: [
      {
        name: 'the least',
        body: { model, prompt: 'A cat' },
        url: '/clips',
        sent: { model, prompt: 'A cat' },
        quantities: second,
      },
      {
        name: 'a long one in words of Acme',
        body: { model, prompt: 'A cat', seconds: 8, metadata: { seconds: 10, style: 'ink' } },
        url: '/clips',
        sent: { model, prompt: 'A cat', seconds: 10, style: 'ink' },
        quantities: { ...second, counts: { second: 10, piece: 1 } },
      },
    ],
    refused: [{ body: { model, prompt: 'A cat', image: 'ftp://x' }, param: 'image' }],
    submissions: [
      { name: 'accepted', answer: { id: 'clip-41' }, expected: { ref: 'clip-41' } },
      { name: 'refused', answer: { error: { message: 'No.' } } },
    ],
    polls: [
      {
        name: 'working',
        task,
        answer: { clips: [{ id: 'clip-41', status: 'working', percent: 3 }] },
        expected: { state: 'running', percent: 3 },
      },
      { name: 'done', task, answer: { clips: [done] }, expected: { state: 'succeeded' } },
      {
        name: 'broken',
        task,
        answer: { clips: [{ id: 'clip-41', status: 'broken', reason: 'It was blocked.' }, done] },
        expected: { state: 'failed', reason: 'It was blocked.' },
      },
      { name: 'of others', task: { ref: 'clip-7' }, answer: { clips: [done] } },
    ],
    ended: [
      {
        name: 'gone',
        task,
        answer: bytesAnswer(Buffer.from('{"gone":"clip-41"}'), 'application/json', 410),
        expected: { state: 'failed' },
      },
    ],
    notices: [
      {
        name: 'done',
        task,
        callback: { body: report, headers: { 'acme-signature': signatureOf(report) } },
        expected: { state: 'succeeded' },
        isSigned: true,
      },
      { name: 'unsigned', task, callback: { body: report, headers: {} } },
    ],
    contents: [
      {
        name: 'a clip',
        task,
        result: { type: 'video', url: 'https://cdn.acme.example/41.mp4', keyed: true },
        url: '/clips/clip-41/bytes',
      },
    ],
    cancels: [{ name: 'a clip', task, method: 'DELETE', url: '/clips/clip-41' }],
    refusals: [{ status: 400, body: { error: { message: 'No.' } }, blame: 'client' }],
  }
}

const pictureUrl = 'https://cdn.acme.example/41.png'
const painted: Json = { id: 'clip-41', status: 'done', seconds: 5, url: pictureUrl }

/** The same for pictures: a client waits for them. */
function picturesOf(adapter: TaskAdapter): TaskSubject {
  const { polls, ...subject } = subjectOf(adapter)
  return {
    ...subject,
    create: (): Provider => ({ operations: { images: adapter } }),
    polls: [...polls, { name: 'painted', task, answer: { clips: [painted] }, expected: {} }],
    folded: [
      {
        name: 'done',
        poll: 'painted',
        expected: { json: { created: 1_767_225_600, data: [{ url: pictureUrl }] } },
      },
    ],
  }
}

/** Titles of the tests that fail for this adapter, with why; of those alone whose titles begin so. */
export function noticed(adapter: TaskAdapter, begins?: string): string[] {
  return failuresOf(subjectOf(adapter), begins)
}

export function noticedOfPictures(adapter: TaskAdapter, begins?: string): string[] {
  return failuresOf(picturesOf(adapter), begins)
}

function failuresOf(subject: TaskSubject, begins = ''): string[] {
  const failed: string[] = []
  const test = (title: string, run: () => unknown) => {
    if (!title.startsWith(begins)) return
    try {
      run()
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      failed.push(`${title}: ${reason.replaceAll('\n', ' ')}`)
    }
  }
  conformingTask(test, subject)
  return failed
}
