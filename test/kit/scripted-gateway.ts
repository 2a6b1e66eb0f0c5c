/** A gateway with one channel to a scripted upstream and easy prices: 1 quota per prompt token, 4 per completion token. */
import { startGateway, type TestGateway, type TestGatewayOptions } from './gateway.js'
import { type ScriptedUpstream, scriptedUpstream } from './upstream.js'

export interface ScriptedGateway extends TestGateway {
  readonly upstream: ScriptedUpstream
  readonly channelId: number
}

export const model = 'gpt-4o-mini'

export const ask = (over: Readonly<Record<string, unknown>> = {}) => ({
  model,
  messages: [{ role: 'user', content: 'hello' }],
  ...over,
})

export async function scriptedGateway(
  t: Parameters<typeof startGateway>[0],
  options: TestGatewayOptions & { readonly channel?: Readonly<Record<string, unknown>> } = {},
): Promise<ScriptedGateway> {
  const upstream = await scriptedUpstream(t)
  const gateway = await startGateway(t, options)
  await gateway.admin.option('ModelRatio', { [model]: 1, 'claude-sonnet-4-5': 1 })
  await gateway.admin.option('CompletionRatio', { [model]: 4, 'claude-sonnet-4-5': 4 })
  const channelId = await gateway.admin.channel({
    type: 1,
    name: 'scripted',
    key: 'upstream-key',
    base_url: upstream.url,
    models: model,
    group: 'default',
    ...options.channel,
  })
  return { ...gateway, upstream, channelId }
}
