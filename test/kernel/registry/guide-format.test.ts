/** The format of the guide, as a package from outside: its clients reach every upstream, its upstream serves every client. */
import t, { type Test } from 'tap'
import { printedPackage } from '../../guides/loaded.js'
import { ask, model, scriptedGateway } from '../../kit/scripted-gateway.js'
import { chat, events, json } from '../../kit/upstream.js'
import { shelf } from './outside-kit.js'

const endpoint = `
import { jsonRelay } from 'waybill/toolkit/endpoint'
export default () => ({ routes: { create: jsonRelay('chat', 'dialog') } })
`
const route = {
  ...{ name: 'create', method: 'POST', path: '/dialog/v1/ask', credential: 'key' },
  ...{ body: 'json', limiter: 'relay', format: 'dialog' },
}
const provider = `
import { upstreamFailure } from 'waybill/toolkit/errors'
import { bearerRequest } from 'waybill/toolkit/provider'
const address = (_wire, channel, credentials, context) =>
  bearerRequest(channel.baseUrl + '/ask', credentials, context)
const fail = (status, headers, head) => upstreamFailure({ status, headers, head })
export default () => ({ operations: { chat: { format: 'dialog', address, fail } } })
`
const channelTypes = [{ name: 'dialog', title: 'Dialog', baseUrl: '' }]
const counts = { in: 9, cached: 4, out: 2 }
const frames = (...pieces: readonly object[]) =>
  pieces.map((piece) => `data: ${JSON.stringify(piece)}\n\n`)

async function running(t: Test, isolated: 'all' | readonly string[]) {
  const outside = shelf(t)
  outside.put({
    'package.json': { type: 'module' },
    ...printedPackage('plugins/formats/README.md', 'dialog'),
  })
  outside.plugin('endpoint', 'endpoint.dialog', endpoint, { routes: [route] })
  outside.plugin('provider', 'provider.dialog', provider, { hosts: ['channel'], channelTypes })
  const names = ['./dialog', './endpoint', './provider']
  const plugins = { names, from: [outside.folder], isolated }
  const here = await scriptedGateway(t, { environment: { plugins } })
  here.upstream.takes('a vendor of its own')
  await here.admin.option('ModelRatio', { [model]: 1, 'dialog-1': 1 })
  await here.admin.channel({
    ...{ type: 'dialog/dialog', name: 'dialog', key: 'k', base_url: here.upstream.url },
    ...{ models: 'dialog-1', group: 'default' },
  })
  const send = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${here.key}`, 'content-type': 'application/json' }
    return fetch(`${here.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  }
  return { ...here, send }
}

const hello = { model, turns: [{ by: 'user', say: 'Hello' }], most: 50 }

for (const isolated of [[], 'all'] as const) {
  const where = isolated.length > 0 ? 'in threads of their own' : 'in the process'
  t.test(`the format of the guide is served, converted and billed ${where}`, async (t) => {
    const { send, upstream, logs } = await running(t, isolated)

    upstream.script(json(200, chat.whole('from chat', 9, 2)))
    const response = await send('/dialog/v1/ask', hello)
    const whole = await response.json()
    t.match(whole, { say: 'from chat', why: 'done', counts: { in: 9, out: 2 } })
    t.match(upstream.requests.at(-1)?.json, { messages: [{ role: 'user', content: 'Hello' }] })

    upstream.script(
      events(chat.delta('from '), chat.delta('chat'), chat.stop(), chat.usage(9, 2), chat.done),
    )
    const streamed = await (await send('/dialog/v1/ask', { ...hello, stream: true })).text()
    t.equal(
      streamed,
      frames({ say: 'from ' }, { say: 'chat' }, { why: 'done', counts: { in: 9, out: 2 } }).join(
        '',
      ),
    )

    upstream.script(json(200, { say: 'from dialog', why: 'full', counts }))
    const reached = await (await send('/v1/chat/completions', ask({ model: 'dialog-1' }))).json()
    t.match(reached, {
      choices: [{ message: { content: 'from dialog' }, finish_reason: 'length' }],
      usage: {
        prompt_tokens: 9,
        prompt_tokens_details: { cached_tokens: 4 },
        completion_tokens: 2,
      },
    })
    t.match(upstream.requests.at(-1)?.json, { turns: [{ by: 'user', say: 'hello' }] })

    const own = frames({ say: 'as it ' }, { say: 'is' }, { why: 'done', counts })
    upstream.script(events(...own))
    const verbatim = await send('/dialog/v1/ask', { ...hello, model: 'dialog-1', stream: true })
    t.equal(await verbatim.text(), own.join(''))

    const tools = [{ type: 'function', function: { name: 'f' } }]
    const refused = await send('/v1/chat/completions', ask({ model: 'dialog-1', tools }))
    t.equal(refused.status, 400)
    t.match(await refused.json(), { error: { message: /tools/ } })
    const wrong = await send('/dialog/v1/ask', { ...hello, turns: [{ by: 'nobody', say: '' }] })
    t.match(await wrong.json(), { error: { param: 'turns[0].by' } })

    const billed = (await logs()).map(({ prompt_tokens, completion_tokens }) => [
      prompt_tokens,
      completion_tokens,
    ])
    t.strictSame(billed, [
      [9, 2],
      [9, 2],
      [9, 2],
      [9, 2],
    ])
  })
}
