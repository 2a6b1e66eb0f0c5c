/** A responses client refers to what it was answered before, whatever format the upstream speaks. */
import t from 'tap'
import { model, scriptedGateway } from '../kit/scripted-gateway.js'
import { chat, events, json } from '../kit/upstream.js'

// The provider of this type has the one adapter, so everything is converted to chat.
const gateway = await scriptedGateway(t, { channel: { type: 53 } })
const { upstream } = gateway

const ask = (body: object, key = gateway.key) =>
  fetch(`${gateway.url}/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, ...body }),
  })

const user = (content: string) => ({ role: 'user', content })
const itemOf = async (answer: Response) =>
  ((await answer.json()) as { output: { id: string }[] }).output[0]!.id

/** The turns the upstream saw last. */
const seen = () => upstream.requests.at(-1)?.json?.messages as { role: string; content: string }[]

t.beforeEach(() => upstream.script(json(200, chat.whole('It is 42.', 10, 4))))

t.test('[FMT-9] an item of an earlier answer may be named instead of repeated', async (t) => {
  const first = { input: [user('What is it?')] }
  const id = await itemOf(await ask(first))
  const next = [user('What is it?'), { type: 'item_reference', id }, user('Sure?')]
  t.equal((await ask({ input: next })).status, 200)
  t.match(seen(), [
    { role: 'user', content: 'What is it?' },
    { role: 'assistant', content: 'It is 42.' },
    { role: 'user', content: 'Sure?' },
  ])
})

t.test('[FMT-9] so may an item of a streamed answer, the moment it has ended', async (t) => {
  const pieces = [
    chat.delta('It is '),
    chat.delta('42.'),
    chat.stop(),
    chat.usage(10, 4),
    chat.done,
  ]
  upstream.script(events(...pieces), json(200, chat.whole('Yes.', 10, 2)))
  const text = await (await ask({ input: 'What is it?', stream: true })).text()
  const [, last = ''] = /event: response\.completed\ndata: (.*)\n/.exec(text) ?? []
  const { id } = JSON.parse(last).response.output[0]
  t.equal((await ask({ input: [{ type: 'item_reference', id }, user('Sure?')] })).status, 200)
  t.match(seen(), [{ role: 'assistant', content: 'It is 42.' }, { role: 'user' }])
})

t.test('what was not to be stored, or is not known, is refused by name', async (t) => {
  const id = await itemOf(await ask({ input: 'What is it?', store: false }))
  const requestCount = upstream.requests.length
  for (const unknown of [id, 'msg_nobody']) {
    const answer = await ask({ input: [{ type: 'item_reference', id: unknown }, user('Sure?')] })
    t.equal(answer.status, 400)
    t.match(await answer.json(), { error: { code: 'not_expressible' } })
  }
  t.equal(upstream.requests.length, requestCount, 'nothing was relayed')
})
