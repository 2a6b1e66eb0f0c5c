/** Recording in several workers: what an admin switches is what the next request finds, wherever it goes (decision 0097). */
import t from 'tap'
import { databaseKind } from '../kit/database.js'
import { ask } from '../kit/scripted-gateway.js'
import { chat, events, json, scriptedUpstream } from '../kit/upstream.js'
import { call, furnish } from './kit/furnish.js'
import { noLimits, startWorkers, until, withoutKeepAlive } from './kit/workers.js'

t.setTimeout(240_000)

const skip = databaseKind === 'pglite' && 'the embedded database serves one process only'
const everybody = '/api/recordings/everybody'

withoutKeepAlive()

t.test('[API-7] a switch of recording is seen by all workers at once', { skip }, async (t) => {
  const gateway = await startWorkers(t, noLimits)
  const upstream = await scriptedUpstream(t)
  const { admin, key } = await furnish(gateway.url, upstream)
  const count = async () =>
    Number((await gateway.rows('SELECT count(*)::integer AS count FROM recordings'))[0]?.count)
  const requests = async () => {
    for (let turn = 0; turn < 6; turn++) t.match(await call(gateway.url, key, ask()), /Hello/)
  }
  const on = () => admin.must('PUT', everybody, { level: 'bodies', minutes: 5 })
  upstream.script(json(200, chat.whole('Hello', 3, 2)))
  await on()
  await requests()
  await until(async () => (await count()) === 6)

  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const before = upstream.requests.length
  upstream.script(events(chat.delta('Hello'), held, chat.stop(), chat.usage(3, 2), chat.done))
  const running = Array.from({ length: 4 }, () => call(gateway.url, key, ask({ stream: true })))
  await upstream.request(before + 3)
  await admin.must('DELETE', everybody)
  release()
  for (const text of await Promise.all(running)) t.match(text, /\[DONE\]/)
  upstream.script(json(200, chat.whole('Hello', 3, 2)))
  await requests()
  await on()
  await requests()
  await until(async () => (await count()) >= 12)
  t.equal(await count(), 12, 'nothing of what was under way, or came in between')
})
