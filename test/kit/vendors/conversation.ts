/**
 * The first message of each coding agent at a vendor with its rules on: two calls of tools at once, one more, and a last
 * text, each request as the agent makes it of the answer before.
 */
import type { Test } from 'tap'
import {
  type Agent,
  type AgentCall,
  type Answer,
  agents,
  type Body,
  readAnswer,
  recording,
  router,
  send,
} from '../agents/index.js'
import { startGateway, type TestGateway } from '../gateway.js'
import { isStreamed, type Said, speak } from '../speaking/index.js'
import { type ScriptedUpstream, scriptedUpstream } from '../upstream.js'
import { keeping, type Vendor } from './vendor.js'

interface Scene {
  readonly gateway: TestGateway
  readonly upstream: ScriptedUpstream
}

/** One of the vendor's models, by its place among them. */
interface Place {
  readonly vendor: Vendor
  readonly at: number
}

/** Registers a test for each vendor's model and each agent, whole and streamed. */
export async function agentsAt(t: Test, vendors: readonly Vendor[]): Promise<void> {
  const upstream = await scriptedUpstream(t)
  const gateway = await startGateway(t, { funds: 1_000_000_000 })
  const places = vendors.flatMap((vendor) => vendor.models.map((_, at) => ({ vendor, at })))
  const prices = places.map((place) => [servedName(place), 1] as const)
  await gateway.admin.option('ModelRatio', Object.fromEntries(prices))
  for (const place of places) {
    const { vendor, at } = place
    const where = `${vendor.name} (${vendor.models[at]})`
    await addChannel({ gateway, upstream }, place)
    for (const agent of agents) {
      t.test(`[FMT-9] ${agent.name} works at ${where}`, async (t) => {
        for (const stream of [false, true]) {
          await converse(t, { gateway, upstream }, { ...place, agent, stream })
        }
      })
    }
    if (vendor.noSchemas) continue
    t.test(`[FMT-9] Gemini CLI’s first call, for JSON, works at ${where}`, async (t) => {
      const asking = { ...place, agent: router, stream: false }
      const body = router.ask(recording(router.fixture).body, servedName(place), false)
      const answer = await asked(t, { gateway, upstream }, asking, body, { text: easy })
      t.equal(answer?.text, easy)
    })
  }
}

const easy = '{"complexity_reasoning":"Easy.","complexity_score":1}'

function servedName({ vendor, at }: Place): string {
  return `${vendor.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}-${at}`
}

async function addChannel({ gateway, upstream }: Scene, place: Place): Promise<void> {
  const { type, key = 'k', settings = {}, path = '', models } = place.vendor
  const name = servedName(place)
  await gateway.admin.channel({
    ...{ type, key, settings, name, models: name, group: 'default' },
    base_url: upstream.url + path,
    model_mapping: JSON.stringify({ [name]: models[place.at] }),
  })
}

interface Conversation extends Place {
  readonly agent: Agent
  readonly stream: boolean
}

async function converse(t: Test, scene: Scene, conversation: Conversation): Promise<void> {
  const { agent, stream } = conversation
  let body = agent.ask(recording(agent.fixture).body, servedName(conversation), stream)
  const outputs: string[] = []
  for (const calls of roundsOf(agent, body)) {
    const said = calls.map(({ name, input, own }, at) => {
      return { id: `call_0123456789abcdefghijkl${outputs.length}${at}`, name, input, own }
    })
    const answer = await asked(t, scene, conversation, body, {
      thought: 'I look first.',
      calls: said,
    })
    if (answer === undefined) return
    const made = answer.calls.map(({ own }) => own)
    t.match(
      made,
      calls.map(({ own }) => own),
      'calls come as the model made them',
    )
    const output = `done ${outputs.push('')}`
    body = agent.next(body, answer, output)
  }
  const last = await asked(t, scene, conversation, body, { text: 'All done.' })
  t.equal(last?.text, 'All done.')
  const sent = scene.upstream.requests.at(-1)!.text
  t.match(sent, `done ${outputs.length}`, 'results reach the model')
}

/** One request with its answer, undefined where it was refused. */
async function asked(
  t: Test,
  { gateway, upstream }: Scene,
  { agent, stream, ...place }: Conversation,
  body: Body,
  said: Said,
): Promise<Answer | undefined> {
  const { vendor } = place
  const restore = upstream.takes('the vendor documents more', vendor.takes ?? [])
  upstream.script(keeping(vendor, speak(said, vendor.endsSilently)))
  const response = await send(gateway, agent, servedName(place), { body, stream })
  restore()
  if (response.status !== 200) {
    const sent = upstream.requests.at(-1)
    t.fail(`${response.status} ${await response.text()}`, { path: sent?.path, sent: sent?.json })
    return undefined
  }
  const { answers = stream ? 'streamed' : 'whole' } = vendor
  t.equal(isStreamed(upstream.requests.at(-1)!), answers === 'streamed')
  return readAnswer(agent, response, stream)
}

/** Two calls at once where the agent takes them, then one. */
function roundsOf({ calls }: Agent, body: Body): readonly (readonly AgentCall[])[] {
  const [first, second, third] = calls as [AgentCall, AgentCall, AgentCall?]
  return body.parallel_tool_calls === false
    ? [[first], [second]]
    : [[first, second], [third ?? first]]
}
