/** The cloud a resource is in, and with it where tokens are fetched and which scope they are for. */

import type { ChannelView } from '../../kernel/contract/provider.js'
import type { Fact } from '../../kernel/toolkit/vendors/index.js'

const read = '2026-11-27'

interface Cloud extends Fact {
  readonly name: string
  /** What hosts of its resources end in. */
  readonly domain: string
  readonly login: string
  /** Of an Azure OpenAI resource. */
  readonly scope: string
  /** Of a Foundry resource, `<name>.services.ai.azure…`. */
  readonly foundryScope: string
}

const publicCloud: Cloud = {
  name: 'public',
  domain: '.azure.com',
  login: 'https://login.microsoftonline.com',
  scope: 'https://cognitiveservices.azure.com/.default',
  foundryScope: 'https://ai.azure.com/.default',
  source:
    'learn.microsoft.com/azure/ai-foundry/openai/latest (Authorization of each call), learn.microsoft.com/azure/foundry/foundry-models/how-to/configure-entra-id (troubleshooting)',
  read,
}

const clouds: readonly Cloud[] = [
  publicCloud,
  {
    name: 'us-government',
    domain: '.azure.us',
    login: 'https://login.microsoftonline.us',
    scope: 'https://cognitiveservices.azure.us/.default',
    foundryScope: 'https://ai.azure.us/.default',
    source:
      'learn.microsoft.com/entra/identity-platform/authentication-national-cloud, github.com/Azure/azure-sdk-for-net (AzureOpenAIAudience.cs), learn.microsoft.com/azure/foundry/agents/concepts/azure-government',
    read,
  },
  {
    name: 'china',
    domain: '.azure.cn',
    login: 'https://login.partner.microsoftonline.cn',
    scope: 'https://cognitiveservices.azure.cn/.default',
    // No Foundry resources are documented there.
    foundryScope: 'https://cognitiveservices.azure.cn/.default',
    source:
      'learn.microsoft.com/entra/identity-platform/authentication-national-cloud, github.com/Azure/azure-sdk-for-js (KnownFormRecognizerAudience: the scope of Cognitive Services)',
    read,
  },
]

interface TokenPlace {
  /** Origin of the token service. */
  readonly login: string
  readonly scope: string
}

export function tokenPlace({ baseUrl, settings }: ChannelView): TokenPlace {
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : ''
  const named = clouds.find(({ name }) => name === settings.cloud)
  const cloud = named ?? clouds.find(({ domain }) => host.endsWith(domain)) ?? publicCloud
  const { token_scope: wanted } = settings
  const own = host.includes('.services.ai.') ? cloud.foundryScope : cloud.scope
  const scope = (typeof wanted === 'string' && wanted.trim()) || own
  return { login: cloud.login, scope }
}
