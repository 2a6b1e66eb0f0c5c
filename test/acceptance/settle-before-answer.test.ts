/** With `SettleBeforeAnswer` an answer that is complete at its client is charged, whatever becomes of the process (decision 0037). */
import pg from 'pg'
import t from 'tap'
import { type Management, management, root } from '../kit/management.js'
import { installation, ledgerCheck, startProcess } from '../kit/process.js'
import { ask } from '../kit/scripted-gateway.js'
import { chat, events, json, type Script, scriptedUpstream } from '../kit/upstream.js'

const name = 'gpt-4o-mini'
const whole = json(200, chat.whole('Hi there.', 10, 3))
const streamed = events(
  chat.delta('Hi '),
  chat.delta('there.'),
  chat.stop(),
  chat.usage(10, 3),
  chat.done,
)
const answering: Script = (request, response) =>
  (request.json?.stream === true ? streamed : whole)(request, response)

/** Storing a charge takes a while, so that a kill finds many between answer and commit; only where a server can be queried to. */
async function slowCharges(databaseUrl: string | undefined): Promise<void> {
  if (databaseUrl === undefined) return
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(`CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_sleep(0.03); RETURN NULL; END'`)
  await client.query(
    'CREATE TRIGGER slow AFTER INSERT ON transfers FOR EACH STATEMENT EXECUTE FUNCTION slow()',
  )
  await client.end()
}

/** Asks until the gateway is gone; answers the ids of the answers that came to their end. */
async function callers(url: string, key: string, enough: () => void): Promise<readonly string[]> {
  const complete: string[] = []
  let gone = false
  const one = async (stream: boolean) => {
    while (!gone) {
      try {
        const answer = await fetch(`${url}/v1/chat/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify(ask({ stream, max_tokens: 50 })),
        })
        const text = await answer.text()
        if (answer.status !== 200) continue
        if (!stream) JSON.parse(text)
        else if (!text.endsWith('data: [DONE]\n\n')) continue
        complete.push(answer.headers.get('x-request-id')!)
        if (complete.length === 200) enough()
      } catch {
        gone = true
      }
    }
  }
  await Promise.all(Array.from({ length: 24 }, (_, index) => one(index % 2 === 0)))
  return complete
}

async function charged(admin: Management): Promise<ReadonlySet<string>> {
  const ids = new Set<string>()
  for (let page = 1; ; page += 1) {
    const { items } = await admin.must('GET', `/api/log/?type=2&page_size=100&p=${page}`)
    for (const { request_id, quota } of items) if (quota > 0) ids.add(request_id)
    if (items.length < 100) return ids
  }
}

t.test(
  '[BILL-1] killed several times under load, no complete answer stands uncharged',
  async (t) => {
    const place = await installation(t)
    const upstream = await scriptedUpstream(t)
    upstream.script(answering)
    const complete: string[] = []
    let key = ''
    for (let kill = 0; kill < 3; kill += 1) {
      const gateway = await startProcess(t, place)
      if (kill === 0) {
        const admin = management(gateway.url)
        await admin.setUp()
        await admin.credit(1, 1_000_000_000)
        await admin.option('ModelRatio', { [name]: 1 })
        await admin.option('SettleBeforeAnswer', 'true')
        const channel = { type: 1, name: 'scripted', key: 'k', models: name, group: 'default' }
        await admin.channel({ ...channel, base_url: upstream.url })
        key = (await admin.token()).key
        await slowCharges(place.DATABASE_URL)
      }
      let enough: () => void = () => {}
      const loaded = new Promise<void>((resolve) => {
        enough = resolve
      })
      const asking = callers(gateway.url, key, enough)
      await loaded
      await gateway.end('SIGKILL')
      complete.push(...(await asking))
    }
    const last = await startProcess(t, place)
    const admin = management(last.url)
    await admin.login(root.username, root.password)
    const rows = await charged(admin)
    t.ok(complete.length >= 600)
    t.same(
      complete.filter((id) => !rows.has(id)),
      [],
      `of ${complete.length} complete answers`,
    )
    await last.end('SIGTERM')
    t.equal((await ledgerCheck(place)).code, 0)
  },
)
