import { knowsOnly, rolesAre } from './rules.js'
import type { Vendor } from './vendor.js'

const read = '2026-11-27'
const source = 'docs.cohere.com/reference/chat'

export const cohere: Vendor = {
  name: 'Cohere',
  type: 34,
  models: ['command-a-03-2025', 'command-a-reasoning-08-2025'],
  rules: [
    knowsOnly(
      [
        'model',
        'messages',
        'tools',
        'strict_tools',
        'documents',
        'citation_options',
        'response_format',
        'safety_mode',
        'max_tokens',
        'stop_sequences',
        'temperature',
        'seed',
        'frequency_penalty',
        'presence_penalty',
        'k',
        'p',
        'logprobs',
        'tool_choice',
        'thinking',
        'priority',
        'stream',
      ],
      { source, read },
    ),
    rolesAre(['system', 'user', 'assistant', 'tool'], { source, read }),
  ],
}
