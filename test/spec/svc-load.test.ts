import t from 'tap'
import { startGateway } from '../kit/gateway.js'
import { chat, events, json, scriptedUpstream, silence } from '../kit/upstream.js'

const inFlight = 32
const requests = 160

/** Runs the tasks, so many at once. */
async function atOnce<T>(count: number, tasks: number, run: () => Promise<T>): Promise<T[]> {
  const results: T[] = []
  let left = tasks
  const lane = async () => {
    while (left-- > 0) results.push(await run())
  }
  await Promise.all(Array.from({ length: count }, lane))
  return results
}

t.test(
  '[ROUTE-3] [BILL-1] with one channel failing and one hanging, every client is answered and charged once',
  async (t) => {
    const failing = await scriptedUpstream(t)
    const hanging = await scriptedUpstream(t)
    const working = await scriptedUpstream(t)
    failing.script(json(500, { error: { message: 'out of order' } }))
    hanging.script(silence)
    working.script(
      events(chat.role(), chat.delta('hello'), chat.stop(), chat.usage(10, 5), chat.done),
    )
    const { admin, chat: ask, logs } = await startGateway(t)
    for (const { url } of [failing, hanging, working]) {
      const fields = { type: 1, name: url, key: 'upstream-key', models: 'gpt-4o-mini', weight: 1 }
      await admin.channel({ ...fields, base_url: url })
    }
    await admin.option('general_setting.first_token_timeout_seconds', 2)

    const answers = await atOnce(inFlight, requests, async () => {
      const answer = await ask({
        model: 'gpt-4o-mini',
        stream: true,
        messages: [{ role: 'user', content: 'hi' }],
      })
      return { status: answer.status, text: await answer.text() }
    })

    t.equal(answers.length, requests)
    const bad = answers.filter(({ status, text }) => status !== 200 || !text.includes('[DONE]'))
    t.strictSame(bad, [], 'no client saw an error')
    t.equal(working.requests.length, requests)
    t.ok(failing.requests.length < requests / 2, 'the failing channel is soon left alone')
    t.ok(hanging.requests.length < requests / 2, 'so is the hanging one')

    t.equal((await logs()).length, 100, 'a page of the log is full')
    const rows = await pages(admin)
    t.equal(rows.length, requests, 'a row for each')
    t.equal(new Set(rows.map((row) => row.request_id)).size, requests, 'and none twice')
    t.equal(new Set(rows.map((row) => row.quota)).size, 1, 'at one price')
  },
)

async function pages(admin: { must(method: string, path: string): Promise<{ items: Row[] }> }) {
  const first = await admin.must('GET', '/api/log/?type=2&page_size=100&p=1')
  const second = await admin.must('GET', '/api/log/?type=2&page_size=100&p=2')
  return [...first.items, ...second.items]
}

interface Row {
  readonly request_id: string
  readonly quota: number
}
