/** Faults planted into a sound task type, one at a time: the kit notices each of them, in the test that is for it. */
import t, { type Test } from 'tap'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { Progress, TaskAdapter, TaskPoll, TaskResult } from '../../kernel/contract/task.js'
import { Refusal } from '../../kernel/toolkit/errors/index.js'
import { jsonOf } from '../../kernel/toolkit/operation/index.js'
import { answerObject } from '../../kernel/toolkit/task/index.js'
import { noticed, noticedOfPictures, sound, soundPictures } from './task-example.js'

/** `test`: how the title of the test that is for it begins. `reason`: part of what it states. */
type Fault = readonly [change: Partial<TaskAdapter>, test: string, reason?: RegExp]

const poll = (change: Partial<TaskPoll>): Partial<TaskAdapter> => ({
  poll: { ...sound.poll, ...change },
})

/** Every report, changed. */
const reports = (change: (progress: Progress) => Partial<Progress>): Partial<TaskAdapter> =>
  poll({
    read: (...call) => {
      const found = sound.poll.read(...call)
      return 'failure' in found ? found : found.map((one) => ({ ...one, ...change(one) }))
    },
  })

const submissions = (change: JsonObject): Partial<TaskAdapter> => ({
  submitted: (...call) => ({ ...sound.submitted(...call), ...change }),
})

const shapes = (
  change: (wire: JsonObject, body: JsonObject) => JsonObject,
): Partial<TaskAdapter> => ({
  shape: (body, ...call) => {
    const wire = jsonOf(sound.shape(body, ...call))
    return { kind: 'json', value: { ...wire, ...change(wire, jsonOf(body)) } }
  },
})

/** The answer to who waits, made of another report. */
const answers = (change: (progress: Progress) => Progress): Partial<TaskAdapter> => ({
  folded: (progress, requested) => soundPictures.folded!(change(progress), requested),
})

let calls = 0

const faults: Readonly<Record<string, Fault>> = {
  'it writes into the request of the client': [
    {
      shape: (body, ...call) => {
        Object.assign(jsonOf(body), { seconds: 5 })
        return sound.shape(body, ...call)
      },
    },
    'shape and address, the least',
  ],
  'it counts its calls': [
    {
      shape: (...call) => {
        calls += 1
        return { kind: 'json', value: { ...jsonOf(sound.shape(...call)), no: calls } }
      },
    },
    'shape and address, the least',
    /the same call/,
  ],
  'it sends something else': [shapes(() => ({ extra: true })), 'shape and address, the least'],
  'it throws at a field': [
    {
      shape: (body, ...call) => {
        String(jsonOf(body).prompt ?? '').charAt(0)
        ;(jsonOf(body).prompt as string).trim()
        return sound.shape(body, ...call)
      },
    },
    'shape, the least: whatever a field holds',
  ],
  'it refuses without a field': [
    {
      shape: (body, ...call) => {
        if (jsonOf(body).prompt === '') throw new Refusal('invalid_request', { reason: 'No.' })
        return sound.shape(body, ...call)
      },
    },
    'shape, the least: whatever a field holds',
    /names the field/,
  ],
  'a client names another model': [
    shapes((wire, { metadata }) => ({ model: (metadata as JsonObject)?.model ?? wire.model! })),
    'shape, the least: the model stays',
  ],
  'it requests no reports': [
    shapes(({ notify: _, ...wire }) => ({ ...wire, notify: 0 })),
    'shape, the least: reports are requested',
  ],
  'a client has reports sent elsewhere': [
    shapes((wire, { metadata }) => {
      const notify = (metadata as JsonObject)?.notify ?? wire.notify
      return notify === undefined ? {} : { notify }
    }),
    'shape, the least: reports are requested',
  ],
  'it counts what was requested': [
    {
      quantities: (_, ...[model, requested]) => sound.quantities(requested, model, requested),
    },
    'quantities, a long one',
  ],
  'a default is forgotten': [
    {
      quantities: (wire) => ({
        counts: { second: Number(jsonOf(wire).seconds ?? 0) },
        dimensions: {},
      }),
    },
    'quantities, the least: counted',
  ],
  'a negative length is a credit': [
    {
      quantities: (wire, ...rest) => {
        const { seconds } = jsonOf(wire)
        const { dimensions, counts } = sound.quantities(wire, ...rest)
        return {
          dimensions,
          counts: { ...counts, ...(typeof seconds === 'number' && { second: seconds }) },
        }
      },
    },
    'quantities, a long one in words of Acme: whatever an override',
  ],
  'a dimension is a number': [
    {
      quantities: (...call) => ({
        ...sound.quantities(...call),
        dimensions: { resolution: 720 as never },
      }),
    },
    'quantities, the least: counted',
  ],
  'the key is in the address': [
    {
      address: (wire, channel, credentials, context) => {
        const request = sound.address(wire, channel, credentials, context)
        return { ...request, url: `${request.url}?key=${credentials.key}` }
      },
    },
    'shape and address, the least',
    /addresses end up in logs/,
  ],
  'it calls another host': [
    { address: (...call) => ({ ...sound.address(...call), url: 'https://elsewhere.example/' }) },
    'shape and address, the least',
    /stays at the hosts/,
  ],
  'a refusal is a task': [
    { submitted: (answer) => ({ ref: String(answerObject(answer).id) }) },
    'submitted, refused',
  ],
  'a page is a task': [
    { submitted: () => ({ ref: 'clip-41' }) },
    'submitted: a page in place of an answer',
  ],
  'it throws at a page': [
    {
      submitted: (answer, ...rest) => {
        JSON.parse(answer.body.toString('utf8'))
        return sound.submitted(answer, ...rest)
      },
    },
    'submitted: a page in place of an answer',
  ],
  'it keeps more than 16 KiB': [
    submissions({ keep: { all: 'x'.repeat(17_000) } }),
    'submitted, accepted',
    /16 KiB/,
  ],
  'it keeps what is no JSON': [
    submissions({ keep: { at: undefined as never } }),
    'submitted, accepted',
    /keep is JSON/,
  ],
  'an id is a number': [submissions({ ref: 41 }), 'submitted, accepted'],
  'a word it does not know is a failure': [
    reports(({ state }) => ({ state: state === 'unknown' ? 'failed' : state })),
    'poll.read, working: a word that is not known',
  ],
  'a word it does not know is forgotten': [
    reports(({ state, word }) => ({ word: state === 'unknown' ? 'unknown' : word })),
    'poll.read, working: a word that is not known',
  ],
  'a state is its own': [
    reports(() => ({ state: 'paused' as never })),
    'poll.read, working: running',
  ],
  'it takes the reports of others': [
    poll({
      read: ({ body }, refs) =>
        sound.poll.read(
          {
            status: 200,
            headers: {},
            body: Buffer.from(body.toString().replaceAll('31415926535897932384', 'clip-41')),
          },
          refs,
          {} as never,
        ),
    }),
    'poll.read, working: a report of another task',
  ],
  'it reports what was not polled': [
    reports(() => ({ ref: 'clip-1' })),
    'poll.read, working',
    /was polled/,
  ],
  'it throws at what it cannot read': [
    poll({
      read: (answer, ...rest) => {
        JSON.parse(answer.body.toString('utf8'))
        return sound.poll.read(answer, ...rest)
      },
    }),
    'poll.read: a page in place of an answer',
  ],
  'a page is an end': [
    poll({
      read: (answer, refs, channel) => {
        if (!answer.body.includes('<html>')) return sound.poll.read(answer, refs, channel)
        return refs.map(({ ref }) => ({ ref, state: 'failed', raw: {} }))
      },
    }),
    'poll.read: a page in place of an answer reports no end',
  ],
  'it trusts a percentage': [
    reports(({ raw, percent }) => (percent === undefined ? {} : { percent: Number(raw.percent) })),
    'poll.read, working: whatever a member is',
  ],
  'it trusts an address': [
    reports(({ raw, results }) => ({
      results:
        raw.url === undefined ? results : [{ type: 'video', url: String(raw.url) } as TaskResult],
    })),
    'poll.read, done',
  ],
  'what was made is below nothing': [
    reports(({ raw }) =>
      typeof raw.seconds === 'number' ? { made: { counts: { second: raw.seconds } } } : {},
    ),
    'poll.read, done: whatever a member is',
  ],
  'a batch forgets some': [
    poll({ request: (refs, ...rest) => sound.poll.request(refs.slice(0, 3), ...rest) }),
    'poll.batch',
  ],
  'an id leads elsewhere': [
    poll({
      request: ([task], _, { key }) => ({
        ...{ method: 'GET', headers: { authorization: key } },
        url: new URL(task?.ref ?? '', 'https://elsewhere.example/').href,
      }),
    }),
    'poll.request',
  ],
  'any refusal ends a task': [
    poll({ readRefusal: (_, { ref }) => ({ ref, state: 'failed', raw: {} }) }),
    'poll.readRefusal: what states nothing',
  ],
  'a refusal is not tried': [poll({ readRefusal: undefined }), 'poll.readRefusal: is tried'],
  'it believes every report': [
    {
      notice: ({ body }, { ref }) => ({
        ref,
        state: 'succeeded',
        raw: answerObject({ status: 200, headers: {}, body }),
      }),
    },
    'notice, unsigned',
  ],
  'it throws at a report': [
    {
      notice: (callback, ref) => {
        JSON.parse(callback.body.toString('utf8'))
        return sound.notice!(callback, ref)
      },
    },
    'notice: a page in place of a report',
  ],
  'it fetches with the key wherever a result lies': [
    {
      content: (_task, { url = '' }, _channel, { key }) => ({
        ...{ method: 'GET', url, headers: { authorization: `Bearer ${key}` } },
      }),
    },
    'content, a clip: the key goes nowhere else',
  ],
  'what needs the key cannot be fetched': [
    { content: undefined },
    'poll.read, done',
    /needs the key/,
  ],
  'it ends a task elsewhere': [
    {
      cancel: (_task, { baseUrl }, { key }) => ({
        method: 'POST',
        url: baseUrl,
        headers: { x: key },
      }),
    },
    'cancel, a clip: is sent',
  ],
  'a client that waits for nothing gets an answer': [
    { folded: ({ raw }) => ({ json: raw }) },
    'folded: is there',
  ],
  'a refusal of the upstream shows everything': [
    { fail: (...call) => ({ ...sound.fail(...call), message: call[2].toString('utf8') }) },
    'fail: a 400',
  ],
  'every refusal is the fault of the client': [
    { fail: (...call) => ({ ...sound.fail(...call), blame: 'client' }) },
    'fail: a 429',
  ],
}

const pictures: Readonly<Record<string, Fault>> = {
  'it has no answer for who waits': [{ folded: undefined }, 'folded: is there'],
  'it returns the first picture alone': [
    answers((progress) => ({ ...progress, results: progress.results?.slice(0, 1) })),
    'folded, done: every result',
  ],
  'nothing that was made is an answer of nothing': [
    { folded: ({ results = [] }) => ({ json: { data: results.map(({ url }) => ({ url })) } }) },
    'folded, done: a task that made nothing',
  ],
  'it takes the time of its own clock': [
    answers((progress) => ({ ...progress, updatedAt: Date.now() })),
    'folded, done: the answer',
  ],
  'it returns what the upstream wrote': [
    { folded: ({ raw }) => ({ json: raw }) },
    'folded, done: the answer',
  ],
  'it writes into the results': [
    answers((progress) => {
      Object.assign(progress.results ?? [], { length: 1 })
      return progress
    }),
    'folded, done: the answer',
  ],
  'its answer is no JSON': [
    {
      folded(...call) {
        const answer = soundPictures.folded!(...call)
        return 'json' in answer ? { json: { ...answer.json, note: undefined as never } } : answer
      },
    },
    'folded, done: the answer',
    /is JSON/,
  ],
  'it takes a word of the upstream for a text': [
    answers((progress) => {
      ;(progress.raw.status as string | undefined)?.trim()
      return progress
    }),
    'folded, done: whatever the upstream',
  ],
  'it takes a field of the request for a text': [
    {
      folded(progress, requested) {
        ;(jsonOf(requested).prompt as string | undefined)?.trim()
        return soundPictures.folded!(progress, requested)
      },
    },
    'folded, done: whatever the upstream',
  ],
  'it takes every address for a whole one': [
    answers((progress) => ({
      ...progress,
      results: progress.results?.map((one) => ({ ...one, url: new URL(one.url ?? '').href })),
    })),
    'folded, done: an address of the gateway',
  ],
}

t.test('the sound task types conform', async (t) => {
  t.strictSame(noticed(sound), [])
  t.strictSame(noticedOfPictures(soundPictures), [])
})

for (const [fault, [change, test, reason]] of Object.entries(faults)) {
  t.test(`noticed: ${fault}`, async (t) => {
    mustHold(t, noticed({ ...sound, ...change }, test), reason)
  })
}

for (const [fault, [change, test, reason]] of Object.entries(pictures)) {
  t.test(`noticed of pictures: ${fault}`, async (t) => {
    mustHold(t, noticedOfPictures({ ...soundPictures, ...change }, test), reason)
  })
}

function mustHold(t: Test, failed: readonly string[], reason = /^/): void {
  const listed = failed.map((one) => one.slice(0, 160)).join(' | ')
  t.ok(
    failed.some((one) => reason.test(one)),
    `${reason} is among: ${listed}`,
  )
}
