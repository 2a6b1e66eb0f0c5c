/** In a thread of its own a plugin keeps all that its contract demands: the conformance kits find no difference. */
import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import type { Operation, SocketSession } from '../../../kernel/contract/operation.js'
import {
  conformingFormat,
  conformingProvider,
  conformingTask,
  type Subject,
} from '../../conformance/index.js'
import { answer } from '../../kit/socket-upstream.js'
import { messagesSubject } from '../../plugins/formats/messages/subject.js'
import { taskSubjects } from '../../plugins/tasks/subjects/index.js'
import { bedrockSubject } from '../../providers/bedrock-subject.js'
import { inThread } from './isolated-kit.js'

const root = new URL('../../../', import.meta.url)

/** The same subject, whose plugin is in a thread. */
async function threaded<Of extends Subject<object>>(
  t: Test,
  subject: Of,
  folder: string,
): Promise<Of> {
  const entry = new URL(`${folder}/index.js`, root).href
  const { plugin } = await inThread<object>(t, entry, subject.manifest)
  return { ...subject, create: () => plugin }
}

for (const name of ['kling', 'midjourney', 'veo on Vertex AI', 'wan images']) {
  t.test(`the task type ${name}`, async (t) => {
    const folder = `plugins/tasks/${name.split(' ')[0]}`
    await conformingTask(t, await threaded(t, taskSubjects[name]!, folder))
  })
}

t.test('the provider bedrock, whose streams are framed in a way of their own', async (t) => {
  await conformingProvider(t, await threaded(t, bedrockSubject, 'providers/bedrock'))
})

t.test('the format messages', async (t) => {
  await conformingFormat(t, await threaded(t, messagesSubject, 'plugins/formats/messages'))
})

t.test('a session of the operation realtime', async (t) => {
  const place = new URL('plugins/operations/realtime/', root)
  const manifest = readFileSync(new URL('manifest.json', place), 'utf8')
  const { plugin } = await inThread<Operation>(t, new URL('index.js', place).href, manifest)
  const direct: { default(): Operation } = await import(new URL('index.js', place).href)
  const sessions = [plugin, direct.default()].map((operation) =>
    operation.session!({ model: 'asked', upstreamModel: 'upstream' }),
  ) as [SocketSession, SocketSession]
  const frames = [
    ['fromClient', { type: 'session.update', session: { model: 'asked' } }],
    ['fromClient', { type: 'response.create' }],
    ['fromUpstream', { type: 'response.created', response: { id: 'r' } }],
    [
      'fromUpstream',
      { type: 'response.output_text.delta', response_id: 'r', delta: 'Hello there' },
    ],
    [
      'fromUpstream',
      { type: 'response.done', response: { id: 'r', usage: answer.usage(119, 30, 13, 91, 64) } },
    ],
    ['fromClient', { type: 'no such thing', session: { model: 'other' } }],
  ] as const
  for (const [verb, frame] of frames) {
    const bytes = Buffer.from(JSON.stringify(frame))
    const [one, other] = await Promise.all(sessions.map((session) => session[verb](bytes)))
    t.strictSame(one, other, frame.type)
    const [state, expected] = sessions.map((session) => ({
      ...{ busy: session.busy, estimatedTokens: session.estimatedTokens, usage: session.usage },
      ...{ confirmed: session.confirmed, estimated: session.estimated, anomaly: session.anomaly },
      ahead: session.ahead(),
      cancel: session.cancel(),
    }))
    t.strictSame(state, expected)
  }
})
