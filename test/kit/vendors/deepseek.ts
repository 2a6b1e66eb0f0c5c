import {
  isChat,
  noForcedToolWhileThinking,
  noSystemTurns,
  resultsHaveThoughts,
  rolesAre,
} from './rules.js'
import type { Vendor } from './vendor.js'

const read = '2026-11-27'

export const forcedTools = noForcedToolWhileThinking({
  source: 'github.com/deepseek-ai/DeepSeek-V3/issues/1376, github.com/BerriAI/litellm/pull/37470',
  read,
})

/** Its responses are made for Codex, tools of its kinds included (api-docs.deepseek.com/guides/responses_api). */
export const deepseek: Vendor = {
  name: 'DeepSeek',
  type: 43,
  models: ['deepseek-v4-flash'],
  rules: [
    forcedTools,
    rolesAre(['system', 'user', 'assistant', 'tool'], {
      of: isChat,
      source: 'github.com/earendil-works/pi/issues/1048',
      read: '2026-11-22',
    }),
    noSystemTurns({ source: 'github.com/deepseek-ai/DeepSeek-V3/issues/1370', read }),
    resultsHaveThoughts({ source: 'github.com/netease-youdao/LobsterAI/pull/1819', read }),
  ],
  takes: ['thinking', 'client_metadata'],
}
