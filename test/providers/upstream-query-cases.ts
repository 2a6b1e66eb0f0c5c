/** What upstreams answer when they are requested their models and their balance, by provider. */
import { readFileSync } from 'node:fs'
import type { WholeAnswer } from '../../kernel/contract/operation.js'
import type { InquiryCase } from '../conformance/upstream-queries.js'

const fixture = (path: string) => readFileSync(new URL(`../fixtures/${path}.json`, import.meta.url))

const refused = (status: number, path: string): WholeAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: fixture(path),
})

const cases: Readonly<Record<string, readonly InquiryCase[]>> = {
  openai: [
    models(
      ['openai/models'],
      [['gpt-5-mini', 'text-embedding-3-small', 'gpt-image-1']],
      ['/v1/models'],
    ),
    {
      name: 'limit and use',
      verb: 'balance',
      answers: [fixture('openai/balance-subscription'), fixture('openai/balance-usage')],
      values: ['120.5', '-20.345678'],
      urls: [
        '/v1/dashboard/billing/subscription',
        '/v1/dashboard/billing/usage?start_date=2025-09-24&end_date=2026-01-02',
      ],
    },
    failing('a limit below nothing', { hard_limit_usd: -1 }),
    failing('use below nothing', { total_usage: -1 }),
    failing('a limit in words', { hard_limit_usd: 'plenty' }),
    {
      name: 'a key that is not reported',
      verb: 'balance',
      answers: [refused(403, 'openrouter/balance-refused')],
      message: 'does not tell its balance',
    },
  ],
  anthropic: [
    models(
      ['anthropic/models-1', 'anthropic/models-2'],
      [['claude-opus-4-6', 'claude-sonnet-4-5-20250929'], ['claude-haiku-4-5-20251001']],
      ['/v1/models?limit=1000', '/v1/models?limit=1000&after_id=claude-sonnet-4-5-20250929'],
    ),
  ],
  'code-assistant': [
    models(
      ['code-assistant/models'],
      [['gpt-6-astra', 'gpt-5-codex']],
      ['/backend-api/codex/models?client_version=0.171.0'],
    ),
  ],
  deepseek: [
    models(['deepseek/models'], [['deepseek-chat', 'deepseek-reasoner']], ['/models']),
    amount('two currencies', 'deepseek/balance-both', '12.34'),
    {
      name: 'another currency only',
      verb: 'balance',
      answers: [fixture('deepseek/balance-cny')],
      message: 'holds 110 CNY',
      urls: ['/user/balance'],
    },
    failing('no currency at all', { is_available: true, balance_infos: [] }),
  ],
  openrouter: [
    models(
      ['openrouter/models'],
      [['openai/gpt-5-mini', 'anthropic/claude-sonnet-4.5']],
      ['/api/v1/models'],
    ),
    amount('a key with a limit', 'openrouter/balance-key', '74.5'),
    {
      name: 'a key without one',
      verb: 'balance',
      answers: [fixture('openrouter/balance-key-unlimited'), fixture('openrouter/balance-credits')],
      values: ['0', '74.75'],
      urls: ['/api/v1/key', '/api/v1/credits'],
    },
    {
      name: 'credits for management keys only',
      verb: 'balance',
      answers: [
        fixture('openrouter/balance-key-unlimited'),
        refused(403, 'openrouter/balance-refused'),
      ],
      message: 'does not tell its balance',
    },
  ],
  siliconflow: [
    {
      ...amount('dollars', 'siliconflow/balance', '88.88'),
      baseUrl: 'https://api.siliconflow.com',
      urls: ['/v1/user/info'],
    },
  ],
  moonshot: [
    {
      ...amount('dollars', 'moonshot/balance', '49.58894'),
      baseUrl: 'https://api.moonshot.ai/v1',
      urls: ['/v1/users/me/balance'],
    },
    {
      ...amount('a debt', 'moonshot/balance-debt', '-3.00001'),
      baseUrl: 'https://api.moonshot.ai',
    },
  ],
  gemini: [
    models(
      ['gemini/models-1', 'gemini/models-2'],
      [['gemini-2.5-flash', 'gemini-embedding-001'], ['imagen-4.0-generate-001']],
      ['/v1beta/models?pageSize=1000', '&pageToken=Ch9tb2RlbHM%2Fnext%3D1'],
    ),
  ],
  vertex: [
    models(
      ['vertex/models-1', 'vertex/models-2'],
      [['gemini-2.5-pro', 'text-embedding-005'], ['imagen-4.0-generate-001']],
      ['/v1beta1/publishers/google/models?pageSize=100', '&pageToken=A%2FB%3D'],
    ),
  ],
  cohere: [
    models(
      ['cohere/models-1', 'cohere/models-2'],
      [['command-a-03-2025', 'embed-v4.0'], ['rerank-v4.0-pro']],
      ['/v1/models?page_size=1000', '&page_token=page%2F2'],
    ),
  ],
  ollama: [models(['ollama/models'], [['llama3.2:latest', 'gpt-oss:20b']], ['/api/tags'])],
  cloudflare: [
    models(
      ['cloudflare/models-1', 'cloudflare/models-2'],
      [
        [
          '@cf/meta/llama-3.1-8b-instruct',
          '@cf/baai/bge-m3',
          '@cf/black-forest-labs/flux-1-schnell',
          '@cf/openai/whisper-large-v3-turbo',
          '@cf/baai/bge-reranker-base',
        ],
        [],
      ],
      ['/ai/models/search?per_page=100&page=1', '&page=2'],
    ),
  ],
  bedrock: [
    models(
      ['bedrock/models-foundation', 'bedrock/models-profiles-1', 'bedrock/models-profiles-2'],
      [
        ['amazon.nova-lite-v1:0'],
        ['eu.anthropic.claude-sonnet-4-5-20250929-v1:0'],
        ['eu.amazon.nova-pro-v1:0'],
      ],
      [
        'https://bedrock.eu-central-1.amazonaws.com/foundation-models?byInferenceType=ON_DEMAND',
        'https://bedrock.eu-central-1.amazonaws.com/inference-profiles?maxResults=1000',
        '&nextToken=next%2Ftoken%3D',
      ],
    ),
  ],
  replicate: [
    models(
      ['replicate/collection'],
      [['black-forest-labs/flux-schnell', 'bytedance/seedream-4']],
      ['/v1/collections/text-to-image'],
    ),
  ],
  volcengine: [models(['volcengine/models'], [['doubao-seed-1-6-250615']], ['/api/v3/models'])],
  'advanced-custom': [
    models(['openai/models'], [['gpt-5-mini', 'text-embedding-3-small', 'gpt-image-1']], ['/list']),
    { ...amount('credit grants', 'advanced-custom/balance', '12.5'), urls: ['/left?x=1'] },
    failing('less than nothing', { total_available: -0.5 }),
  ],
}

export function inquiriesOf(provider: string): readonly InquiryCase[] {
  return cases[provider] ?? []
}

function models(
  paths: readonly string[],
  values: readonly (readonly string[])[],
  urls: readonly string[],
): InquiryCase {
  return { name: 'the list', verb: 'models', answers: paths.map(fixture), values, urls }
}

function amount(name: string, path: string, value: string): InquiryCase {
  return { name, verb: 'balance', answers: [fixture(path)], values: [value] }
}

function failing(name: string, answer: InquiryCase['answers'][number]): InquiryCase {
  return { name, verb: 'balance', answers: [answer] }
}
