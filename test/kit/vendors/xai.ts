import { refuses, toolTypesAre } from './rules.js'
import type { Vendor } from './vendor.js'

const read = '2026-11-27'

export const xai: Vendor = {
  name: 'xAI',
  type: 48,
  models: ['grok-4.3', 'grok-code-fast-1'],
  rules: [
    refuses(['reasoning_effort', 'reasoning'], {
      models: /grok-(?:3$|4$|4-|code-fast-1)/,
      source:
        'github.com/NousResearch/hermes-agent/pull/23435, github.com/omnigent-ai/omnigent/issues/1686',
      read,
    }),
    toolTypesAre(['function', 'web_search', 'x_search', 'code_execution'], {
      source: 'github.com/vercel/ai/pull/9896, github.com/mxyhi/token_proxy/issues/307',
      read,
    }),
  ],
}
