/**
 * What coding agents send first, at apps that somebody built at a service. An agent that offers tools is refused by that name, since none
 * of them would ever be called; what it asks without tools is answered, and told what the app does not heed.
 */
import t, { type Test } from 'tap'
import { type Agent, agents, type Body, recording, router, send } from '../kit/agents/index.js'
import { startGateway } from '../kit/gateway.js'
import { scriptedUpstream } from '../kit/upstream.js'
import { type App, apps } from '../kit/vendors/apps.js'
import { keeping } from '../kit/vendors/vendor.js'

const upstream = await scriptedUpstream(t)
const gateway = await startGateway(t, { funds: 1_000_000_000 })
const nameOf = ({ name }: App) => name.toLowerCase().replaceAll(/[^a-z]+/g, '-')
const prices = apps.map((app) => [nameOf(app), 1] as const)
await gateway.admin.option('ModelRatio', { ...Object.fromEntries(prices), replicate: 1 })

/** With the tools taken out, as agents ask for a title or a summary. */
function withoutTools({
  tools,
  tool_choice,
  toolConfig,
  parallel_tool_calls,
  ...body
}: Body): Body {
  if (!Array.isArray(body.input)) return body
  const input = body.input.filter(({ type }: Body) => type !== 'additional_tools')
  return { ...body, input }
}

async function asked(app: App, agent: Agent, body: Body, stream: boolean) {
  upstream.requests.length = 0
  upstream.script(keeping(app, app.answer))
  const before = await gateway.balance()
  const model = nameOf(app)
  const response = await send(gateway, agent, model, {
    body: agent.ask(body, model, stream),
    stream,
  })
  const text = await response.text()
  const cost = before - (await gateway.balance())
  const lost = (response.headers.get('x-waybill-lost') ?? '').split(', ').filter(Boolean)
  return { status: response.status, text, cost, lost: new Set(lost) }
}

/** A client's mistake: it costs nothing, nobody is called, and the channel goes on at once. */
async function refusedBy(t: Test, name: string, ...terms: Parameters<typeof asked>) {
  const answer = await asked(...terms)
  t.equal(answer.status, 400, answer.text)
  t.match(JSON.parse(answer.text), { error: { code: 'not_expressible', param: name } })
  t.equal(answer.cost, 0n)
  t.equal(upstream.requests.length, 0)
}

for (const app of apps) {
  const { type, settings = {} } = app
  const id = await gateway.admin.channel({
    ...{ type, settings, key: 'k', name: app.name, models: nameOf(app), group: 'default' },
    model_mapping: JSON.stringify({ [nameOf(app)]: app.models[0] }),
    base_url: upstream.url,
  })
  for (const agent of agents) {
    const { body } = recording(agent.fixture)

    t.test(`[FMT-9] ${agent.name} is refused by its tools at ${app.name}`, async (t) => {
      for (const stream of [false, true]) await refusedBy(t, 'tools', app, agent, body, stream)
    })

    t.test(`[FMT-9] ${agent.name} is answered without tools at ${app.name}`, async (t) => {
      for (const stream of [false, true]) {
        const answer = await asked(app, agent, withoutTools(body), stream)
        t.equal(answer.status, 200, answer.text)
        t.match(answer.text, app.text)
        t.ok(answer.cost > 0n)
        t.same(answer.lost, new Set(app.lost[agent.name]))
      }
    })
  }

  t.test(`[FMT-9] Gemini CLI’s first call, for JSON, is refused at ${app.name}`, async (t) => {
    const { body } = recording(router.fixture)
    await refusedBy(t, app.shape, app, router, body, false)
  })

  t.test(`a channel of ${app.name} is as it was after all that was refused`, async (t) => {
    const channel = await gateway.admin.must('GET', `/api/channel/${id}`)
    t.match(channel, { status: 1 })
    const { items } = await gateway.admin.must('GET', '/api/channel/breakers')
    t.same(items, [], 'none of its keys rests')
  })
}

t.test(
  '[FMT-9] agents at Replicate, which draws and does not talk, are refused and nothing is called',
  async (t) => {
    const fields = { type: 56, key: 'k', name: 'Replicate', models: 'replicate', group: 'default' }
    await gateway.admin.channel({ ...fields, base_url: upstream.url })
    upstream.requests.length = 0
    for (const agent of agents) {
      for (const stream of [false, true]) {
        const { body } = recording(agent.fixture)
        const answer = await send(gateway, agent, 'replicate', {
          body: agent.ask(body, 'replicate', stream),
          stream,
        })
        t.equal(answer.status, 503)
        t.match(await answer.json(), { error: { code: 'model_not_found', param: 'model' } })
      }
    }
    t.equal(upstream.requests.length, 0)
  },
)
