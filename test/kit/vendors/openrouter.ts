import { toolTypesAre } from './rules.js'
import type { Vendor } from './vendor.js'

export const openrouter: Vendor = {
  name: 'OpenRouter',
  type: 20,
  models: ['deepseek/deepseek-v4-flash'],
  rules: [
    toolTypesAre(['function', 'web_search', 'custom'], {
      source: 'github.com/openai/codex/issues/32318 (namespace)',
      read: '2026-11-27',
    }),
  ],
  takes: ['context_management', 'client_metadata'],
}
