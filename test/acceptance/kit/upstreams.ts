/**
 * A gateway with one channel to an upstream of each wire format. All four live at one address: what comes there is
 * recorded as it arrived and answered by a script, such as one that hands it to a mock this project did not write.
 */
import { LLMock } from '@copilotkit/aimock'
import { startGateway, type TestGateway } from '../../kit/gateway.js'
import { type Script, type ScriptedUpstream, scriptedUpstream } from '../../kit/upstream.js'

export type Wire = 'chat' | 'messages' | 'generative' | 'responses'

export const wires: readonly Wire[] = ['chat', 'messages', 'generative', 'responses']

interface Channel {
  readonly type: number
  readonly settings?: Readonly<Record<string, string | boolean>>
  /** As the client names it and the upstream knows it: several rules go by the name. */
  readonly model: string
  readonly paths: RegExp
  /** Header that carries the channel's key. */
  readonly keyHeader: string
}

/** Seals reach every client, so that they are seen to come back. */
const everything = { allow_extra_members: true }

export const channels: Readonly<Record<Wire, Channel>> = {
  chat: {
    type: 1,
    settings: { responses_api: 'convert', ...everything },
    model: 'gpt-5-mini',
    paths: /^\/v1\/chat\/completions$/,
    keyHeader: 'authorization',
  },
  messages: {
    type: 14,
    settings: everything,
    model: 'claude-sonnet-4-5',
    paths: /^\/v1\/messages(\?beta=true)?$/,
    keyHeader: 'x-api-key',
  },
  generative: {
    type: 24,
    settings: everything,
    model: 'gemini-3-pro',
    paths: /^\/v1beta\/models\/gemini-3-pro:(generateContent|streamGenerateContent\?alt=sse)$/,
    keyHeader: 'x-goog-api-key',
  },
  responses: {
    type: 1,
    settings: { responses_api: 'always', ...everything },
    model: 'gpt-5.1',
    paths: /^\/v1\/responses$/,
    keyHeader: 'authorization',
  },
}

export interface Upstreams extends TestGateway {
  readonly upstream: ScriptedUpstream
  readonly mock: LLMock
  /** Answers with what the mock states. */
  readonly asMocked: Script
}

/** Prices: 1 quota per prompt token, 0.1 read from the cache, 1.25 written to it, 4 per completion token. */
export async function fourUpstreams(t: Parameters<typeof startGateway>[0]): Promise<Upstreams> {
  const mock = new LLMock({ port: 0 })
  await mock.start()
  t.teardown(() => mock.stop())
  const upstream = await scriptedUpstream(t)
  const gateway = await startGateway(t)
  const models = wires.map((wire) => channels[wire].model)
  const priced = (ratio: number) => Object.fromEntries(models.map((model) => [model, ratio]))
  await gateway.admin.option('ModelRatio', priced(1))
  await gateway.admin.option('CompletionRatio', priced(4))
  await gateway.admin.option('CacheRatio', priced(0.1))
  await gateway.admin.option('CreateCacheRatio', priced(1.25))
  for (const wire of wires) {
    const { type, settings = {}, model } = channels[wire]
    const place = { base_url: upstream.url, key: 'upstream-key', group: 'default' }
    await gateway.admin.channel({ ...place, type, name: wire, models: model, settings })
  }
  return { ...gateway, upstream, mock, asMocked: handTo(mock) }
}

const kept = ['content-type', 'authorization', 'x-api-key', 'x-goog-api-key', 'anthropic-version']

function handTo(mock: LLMock): Script {
  return async ({ method, path, headers, text }, response) => {
    const results = kept.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : []))
    const answer = await fetch(`${mock.url}${path}`, {
      method,
      headers: Object.fromEntries(results),
      body: text,
    })
    const type = answer.headers.get('content-type') ?? 'application/json'
    response.writeHead(answer.status, { 'content-type': type })
    for await (const chunk of answer.body!) response.write(chunk)
    response.end()
  }
}
