/** The hosts of this service in a region. Another base URL, such as that of a VPC endpoint, is used as it is for all of them. */
import type { ChannelView } from '../../kernel/contract/provider.js'

/** `mantle` is the second host of models, `agents` ranks documents, `control` lists what there is. */
export type Endpoint = 'runtime' | 'mantle' | 'agents' | 'control'

export function baseOf({ baseUrl }: ChannelView, region: string, endpoint: Endpoint): string {
  const base = baseUrl.replace('{region}', region)
  const own = runtimeHost.exec(base)
  return own === null ? base : hosts[endpoint](own[1]!) + base.slice(own[0].length)
}

const runtimeHost = /^https:\/\/bedrock-runtime\.([a-z0-9-]+)\.amazonaws\.com(?=\/|$)/

const hosts: Readonly<Record<Endpoint, (region: string) => string>> = {
  runtime: (region) => `https://bedrock-runtime.${region}.amazonaws.com`,
  mantle: (region) => `https://bedrock-mantle.${region}.api.aws`,
  agents: (region) => `https://bedrock-agent-runtime.${region}.amazonaws.com`,
  control: (region) => `https://bedrock.${region}.amazonaws.com`,
}

/** The name a signature is made for: that of the second host is its own (the package `openai` 6.49, client of Bedrock). */
export function serviceOf(endpoint: Endpoint): string {
  return endpoint === 'mantle' ? 'bedrock-mantle' : 'bedrock'
}
