/** The Coze provider under the conformance kit. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import chat from '../../plugins/formats/chat/index.js'
import create from '../../providers/coze/index.js'
import { conformingProvider } from './provider.js'

const beside = (path: string) => readFileSync(new URL(path, import.meta.url))
const question = { bot_id: '7379462189365198898', user_id: 'user', additional_messages: [] }

conformingProvider((title, run) => t.test(title, async () => run()), {
  manifest: beside('../../providers/coze/manifest.json').toString(),
  create,
  formats: () => chat(),
  calls: [{ operation: 'chat', wire: { ...question, stream: true }, model: 'bot-7379462189' }],
  streams: ['answer', 'whole-message'].map((name) => ({
    name,
    operation: 'chat',
    bytes: beside(`../fixtures/coze/${name}.sse`),
  })),
  refusals: [
    refusal(400, 4000, 'client'),
    refusal(400, 4015, 'channel'),
    refusal(400, 4028, 'channel'),
    refusal(401, 4100, 'channel'),
    refusal(403, 4101, 'channel'),
    refusal(500, 5000, 'upstream'),
  ],
})

function refusal(status: number, code: number, blame: 'client' | 'channel' | 'upstream') {
  return { operation: 'chat' as const, status, body: { code, msg: 'What went wrong.' }, blame }
}
