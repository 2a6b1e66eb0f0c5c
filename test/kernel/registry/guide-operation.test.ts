/** The operation of the guide, as a package from outside: a path of its own, an upstream that takes it as it is, and a charge. */
import t, { type Test } from 'tap'
import { printedPackage } from '../../guides/loaded.js'
import { model, scriptedGateway } from '../../kit/scripted-gateway.js'
import { json } from '../../kit/upstream.js'
import { shelf } from './outside-kit.js'
import { manifestOf } from './plugins.js'

const endpoint = `
import { jsonRelay } from 'waybill/toolkit/endpoint'
export default () => ({ routes: { create: jsonRelay('words', 'chat') } })
`
const route = {
  ...{ name: 'create', method: 'POST', path: '/acme/v1/words', credential: 'key' },
  ...{ body: 'json', limiter: 'relay', format: 'chat' },
}
const provider = `
import { upstreamFailure } from 'waybill/toolkit/errors'
import { bearerRequest } from 'waybill/toolkit/provider'
const address = (_wire, channel, credentials, context) =>
  bearerRequest(channel.baseUrl + '/words', credentials, context)
const fail = (status, headers, head) => upstreamFailure({ status, headers, head })
export default () => ({ operations: { words: { format: 'same', address, fail } } })
`
const channelTypes = [{ name: 'words', title: 'Words', baseUrl: '' }]

async function running(t: Test, isolated: 'all' | readonly string[]) {
  const outside = shelf(t)
  const printed = printedPackage('plugins/operations/README.md', 'words')
  outside.put({ 'package.json': { type: 'module' }, ...printed })
  outside.put({ 'words/manifest.json': manifestOf('operation.words') })
  outside.plugin('endpoint', 'endpoint.words', endpoint, { routes: [route] })
  outside.plugin('provider', 'provider.words', provider, { hosts: ['channel'], channelTypes })
  const names = ['./words', './endpoint', './provider']
  const plugins = { names, from: [outside.folder], isolated }
  const here = await scriptedGateway(t, { environment: { plugins } })
  here.upstream.takes('a vendor of its own')
  await here.admin.option('ModelRatio', { [model]: 1, 'words-1': 1 })
  await here.admin.channel({
    ...{ type: 'words/words', name: 'words', key: 'k', base_url: here.upstream.url },
    ...{ models: 'words-1', group: 'default' },
  })
  const send = async (body: object) => {
    const headers = { authorization: `Bearer ${here.key}`, 'content-type': 'application/json' }
    const options = { method: 'POST', headers, body: JSON.stringify(body) }
    return fetch(`${here.url}/acme/v1/words`, options)
  }
  return { ...here, send }
}

for (const isolated of [[], 'all'] as const) {
  const where = isolated === 'all' ? 'in threads of their own' : 'in the process'
  t.test(`the operation of the guide is served and billed ${where}`, async (t) => {
    const { send, upstream, logs, balance } = await running(t, isolated)
    const before = await balance()
    const reply = { words: ['one', 'two'], usage: { input_tokens: 30 } }
    upstream.script(json(200, reply))
    const sent = { model: 'words-1', text: 'one two', tone: 'dry' }
    const served = await send(sent)
    t.strictSame(await served.json(), reply)
    t.strictSame(upstream.requests.at(-1)?.json, sent)

    upstream.script(json(200, { words: ['uncounted'] }))
    t.equal((await send(sent)).status, 200)
    upstream.script(json(200, { nothing: true }))
    t.equal((await send(sent)).status, 502, 'what is no reply is no reply')
    t.match(await (await send({ model: 'words-1' })).json(), { error: { param: 'text' } })

    const rows = await logs()
    t.strictSame(rows.map(({ prompt_tokens }) => prompt_tokens).toReversed(), [30, 2])
    t.equal(before - (await balance()), 32n)
  })
}
