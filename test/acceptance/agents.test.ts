/**
 * What coding agents send first, as recorded from their released packages, at an upstream of every other format: the
 * first answer, two rounds of their tools and a last text, in one piece and streamed.
 */
import t from 'tap'
import {
  type Agent,
  type Answer,
  agents,
  type Body,
  readAnswer,
  recording,
  send,
} from '../kit/agents/index.js'
import { heard } from './kit/heard.js'
import { channels, fourUpstreams, wires } from './kit/upstreams.js'

const gateway = await fourUpstreams(t)

/** An upstream of each format but the agent's own. */
const others = ({ speaks }: Agent) => wires.filter((wire) => wire !== speaks)

for (const agent of agents) {
  for (const wire of others(agent)) {
    for (const stream of [false, true]) {
      const how = stream ? 'streamed' : 'in one piece'
      t.test(`[FMT-9] ${agent.name} works at a ${wire} upstream, ${how}`, async (t) => {
        const { mock, upstream, asMocked } = gateway
        upstream.script(asMocked)
        const { model } = channels[wire]
        let body = agent.ask(recording(agent.fixture).body, model, stream)
        for (const [round, { name, input, own }] of agent.calls.entries()) {
          mock.clearFixtures()
          mock.onMessage(/.*/, {
            toolCalls: [{ name, arguments: JSON.stringify(input) }],
            ...(wire === 'generative' && { finishReason: 'stop' }),
          })
          const answer = await ask(agent, model, stream, body)
          const request = heard(wire, upstream.requests.at(-1)!)
          t.ok(
            request.tools.some((tool) => tool.name === name),
            `${name} is declared`,
          )
          t.equal(request.streams, stream)
          t.equal(request.calls.length, round, 'with every call so far')
          t.equal(request.results.length, round, 'and every result')
          t.match(answer.calls[0]?.own, own, `round ${round + 1}`)
          body = agent.next(body, answer, `done ${round}`)
        }
        mock.clearFixtures()
        mock.onMessage(/.*/, { content: 'All done.' })
        t.equal((await ask(agent, model, stream, body)).text, 'All done.')
        const last = heard(wire, upstream.requests.at(-1)!)
        t.strictSame(
          last.calls.map(({ name, input }) => ({ name, input })),
          agent.calls.map(({ name, input }) => ({ name, input })),
          'calls stand in the conversation as the upstream made them',
        )
        t.strictSame(
          last.results.map(({ id }) => id),
          last.calls.map(({ id }) => id),
        )
      })
    }
  }
}

t.test('[FMT-9] of tools and conversation only what is named does not go out', async (t) => {
  const { mock, upstream, asMocked } = gateway
  upstream.script(asMocked)
  mock.clearFixtures()
  mock.onMessage(/.*/, { content: 'Hello.' })
  const lost: Readonly<Record<string, readonly string[]>> = {
    codex: ['tools.web_search', 'tools.format'],
    'codex-namespaces': ['tools.web_search'],
    'codex-additional-tools': ['tools.format'],
    'claude-code': ['turns.output_config'],
    'gemini-cli': [],
  }
  for (const agent of agents) {
    for (const wire of others(agent)) {
      const { model } = channels[wire]
      const request = agent.ask(recording(agent.fixture).body, model, false)
      const response = await send(gateway, agent, model, { body: request, stream: false })
      await response.text()
      const header = response.headers.get('x-waybill-lost') ?? ''
      const named = header.split(', ').filter((field) => /^(tools|turns|parts|opaque)/.test(field))
      const moved = wire === 'generative' && agent.fixture === 'claude-code' ? ['turns.system'] : []
      t.strictSame(named, [...moved, ...lost[agent.fixture]!], `${agent.fixture} ${wire}`)
    }
  }
})

t.test("[FMT-9] a schema in the format's older spelling goes out as JSON Schema", async (t) => {
  const { mock, upstream, asMocked } = gateway
  upstream.script(asMocked)
  mock.clearFixtures()
  mock.onMessage(/.*/, { content: '{"complexity_reasoning":"Easy.","complexity_score":1}' })
  const cli = agents.find(({ fixture }) => fixture === 'gemini-cli')!
  for (const wire of ['chat', 'messages', 'responses'] as const) {
    await ask(cli, channels[wire].model, false, recording('gemini-cli-router').body)
    const { schema } = heard(wire, upstream.requests.at(-1)!)
    t.match(schema, {
      type: 'object',
      properties: {
        complexity_reasoning: { type: 'string' },
        complexity_score: { type: 'integer' },
      },
    })
  }
})

async function ask(agent: Agent, model: string, stream: boolean, body: Body): Promise<Answer> {
  return readAnswer(agent, await send(gateway, agent, model, { body, stream }), stream)
}
