import { isResponses, refuses, rolesAre, toolTypesAre } from './rules.js'
import type { Vendor } from './vendor.js'

const read = '2026-11-27'

export const volcengine: Vendor = {
  name: 'Volcengine Ark',
  type: 45,
  models: ['doubao-seed-2-1-pro-260628'],
  rules: [
    rolesAre(['system', 'user', 'assistant', 'tool'], {
      source: 'github.com/agno-agi/agno/issues/6697, github.com/BenedictKing/ccx/issues/47',
      read,
    }),
    toolTypesAre(['function', 'web_search', 'mcp', 'image_process', 'knowledge_search'], {
      source: 'github.com/QuantumNous/new-api/issues/5757 (unknown tool type: namespace)',
      read,
    }),
    refuses(['prompt_cache_key'], {
      of: isResponses,
      source: 'github.com/ding113/claude-code-hub/issues/1023',
      read,
    }),
  ],
  takes: ['thinking'],
}

/** The same service outside of China. */
export const modelark: Vendor = {
  ...volcengine,
  name: 'BytePlus ModelArk',
  type: 'volcengine/modelark',
  models: ['seed-2-1-pro-260628'],
}
