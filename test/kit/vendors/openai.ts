/** OpenAI's models, at OpenAI and on Azure. */
import { isRecord, listIn, type VendorRule } from '../vendor.js'
import { noSampling, systemTurns } from './claude.js'
import { isChat, refuses, rule } from './rules.js'
import type { Vendor } from './vendor.js'

const read = '2026-11-27'

export const noToolsBesideEffort: VendorRule = {
  rule: "Function tools with reasoning_effort are not supported in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.",
  source: 'github.com/openai/openai-openapi/issues/541, github.com/BerriAI/litellm/pull/34569',
  read: '2026-11-22',
  broken: ({ path, json: body }) => {
    if (!path.includes('/chat/completions') || listIn(body, 'tools').length === 0) return false
    const { model, reasoning_effort: effort } = body as { model: string; reasoning_effort?: string }
    if (!/^gpt-5\.[4-9]/.test(model)) return false
    return model.startsWith('gpt-5.4')
      ? effort !== undefined && effort !== 'none'
      : effort !== 'none'
  },
}

const sampling = 'github.com/chatboxai/chatbox/issues/2627, github.com/itzcrazykns/vane/issues/1173'

const rules: readonly VendorRule[] = [
  noToolsBesideEffort,
  rule(
    "Unsupported parameter: 'top_p' is not supported with this model.",
    { models: /^(?:o\d|gpt-5(?:$|\.[5-9]|-mini))/, source: sampling, read },
    ({ temperature = 1, top_p = 1 }) => temperature !== 1 || top_p !== 1,
  ),
  refuses(['max_tokens'], {
    models: /^(?:o\d|gpt-5)/,
    of: isChat,
    source:
      'github.com/langgenius/dify/issues/24307, github.com/anomalyco/opencode/issues/37964 (Azure)',
    read,
  }),
  refuses(['reasoning_effort', 'reasoning'], {
    models: /^gpt-4/,
    source:
      'github.com/yaroslavyaroslav/OpenAI-sublime-text/issues/146, github.com/BoundaryML/baml/pull/2708',
    read,
  }),
  rule(
    "Unsupported value: 'verbosity' does not support 'low' with this model.",
    { models: /^gpt-4/, source: 'github.com/google-deepmind/concordia/issues/164', read },
    ({ verbosity, text }) => {
      const words = isRecord(text) ? text.verbosity : verbosity
      return words !== undefined && words !== 'medium'
    },
  ),
]

const models = ['gpt-5.6-sol', 'gpt-5.1', 'gpt-4o'] as const

export const openai: Vendor = {
  name: 'OpenAI',
  type: 1,
  models,
  rules,
  takes: ['client_metadata'],
}

export const openaiChat: Vendor = {
  name: 'OpenAI chat',
  type: 1,
  settings: { responses_api: 'convert' },
  models: ['gpt-5', 'gpt-4o'],
  rules,
}

export const azure: Vendor = { name: 'Azure', type: 3, models, rules, takes: ['client_metadata'] }

export const azureClaude: Vendor = {
  name: 'Azure with Claude',
  type: 3,
  models: ['claude-opus-5', 'claude-opus-4-7'],
  rules: [
    noSampling,
    systemTurns,
    {
      rule: 'api_not_supported: Claude is served by the Messages API alone',
      source: 'github.com/anthropics/claude-code/issues/67179',
      read,
      broken: ({ path }) => path.split('?')[0] !== '/anthropic/v1/messages',
    },
    {
      rule: 'Unexpected value(s) for the `anthropic-beta` header',
      source: 'github.com/anthropics/claude-code/issues/46105',
      read,
      broken: ({ headers }) =>
        String(headers['anthropic-beta'] ?? '')
          .split(',')
          .some((beta) => /^(?:claude-code-|oauth-|prompt-caching-scope-)/.test(beta)),
    },
  ],
  takes: ['context_management'],
}
