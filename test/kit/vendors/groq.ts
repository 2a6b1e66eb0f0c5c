import { isChat, refuses, refusesInMessages, rule } from './rules.js'
import type { Vendor } from './vendor.js'

const read = '2026-11-27'

export const groq: Vendor = {
  name: 'Groq',
  type: 'chat-compatible/groq',
  models: ['openai/gpt-oss-120b', 'qwen/qwen3.6-27b', 'llama-3.3-70b-versatile'],
  rules: [
    refuses(['logprobs', 'top_logprobs', 'logit_bias'], {
      of: isChat,
      source: 'console.groq.com/docs/openai',
      read: '2026-11-22',
    }),
    refuses(['store', 'verbosity'], {
      of: isChat,
      source: 'github.com/CherryHQ/cherry-studio/issues/11435, github.com/fanenr/chatbot/issues/21',
      read,
    }),
    refusesInMessages(['reasoning_content', 'name'], {
      source: 'github.com/janhq/jan/issues/8136, github.com/tashfeenahmed/freellmapi/issues/1070',
      read,
    }),
    rule(
      'reasoning_effort must be one of none or default',
      { of: isChat, models: /qwen/, source: 'github.com/vercel/ai/pull/7731', read },
      ({ reasoning_effort: effort }) => !['none', 'default', undefined].includes(effort as string),
    ),
    refuses(['reasoning_effort'], {
      of: isChat,
      models: /llama/,
      source: 'github.com/HunorLaczko/ha-groq-cloud-api/pull/18',
      read,
    }),
  ],
}
