import { noSystemTurns, rolesAre, toolTypesAre } from './rules.js'
import type { Vendor } from './vendor.js'

const read = '2026-11-27'
const responses = 'alibabacloud.com/help/en/model-studio/qwen-api-via-openai-responses'

const rules = [
  rolesAre(['system', 'user', 'assistant', 'tool'], {
    source: 'github.com/proma-ai/Proma/issues/1496',
    read: '2026-11-22',
  }),
  noSystemTurns({ source: 'github.com/QwenLM/Qwen/issues/2244', read }),
  toolTypesAre(['function', 'web_search', 'web_extractor', 'code_interpreter', 'mcp'], {
    source: responses,
    read,
  }),
]

const takes = ['enable_thinking', 'thinking_budget']

export const dashscope: Vendor = {
  name: 'DashScope',
  type: 17,
  models: ['qwen3.7-plus'],
  rules,
  takes,
}
