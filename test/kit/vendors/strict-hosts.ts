/** Hosts of open models that refuse members they do not know. */
import { listIn } from '../vendor.js'
import {
  isChat,
  noSystemTurns,
  refuses,
  refusesInMessages,
  rule,
  systemIsOne,
  systemStandsFirst,
} from './rules.js'
import type { Vendor } from './vendor.js'

const read = '2026-11-27'

export const cerebras: Vendor = {
  name: 'Cerebras',
  type: 'chat-compatible/cerebras',
  models: ['gpt-oss-120b'],
  rules: [
    refusesInMessages(['reasoning_content'], {
      source: 'github.com/QwenLM/qwen-code/issues/11045, github.com/Kilo-Org/kilocode/issues/10375',
      read,
    }),
    refuses(['reasoning', 'enable_thinking'], {
      of: isChat,
      source: 'github.com/proxysoul/Empryo/pull/209',
      read,
    }),
  ],
  takes: ['reasoning'],
}

const template = { source: 'github.com/BerriAI/litellm/pull/39852', read, models: /qwen/ }

export const fireworks: Vendor = {
  name: 'Fireworks',
  type: 'chat-compatible/fireworks',
  models: ['accounts/fireworks/models/kimi-k2p6', 'accounts/fireworks/models/qwen3p8'],
  rules: [
    systemStandsFirst(template),
    systemIsOne(template),
    noSystemTurns(template),
    rule(
      'Extra inputs are not permitted, field: messages.content.cache_control',
      { of: isChat, source: 'github.com/musistudio/claude-code-router/issues/377', read },
      (body) => JSON.stringify(listIn(body, 'messages')).includes('"cache_control"'),
    ),
    refusesInMessages(['reasoning'], {
      source: 'github.com/maximhq/bifrost/issues/2405',
      read,
    }),
  ],
}

export const nvidia: Vendor = {
  name: 'NVIDIA',
  type: 'chat-compatible/nvidia',
  models: ['nvidia/nemotron-4'],
  rules: [
    refuses(['prompt_cache_key', 'prompt_cache_options'], {
      source:
        'github.com/MoonshotAI/kimi-cli/issues/2534, github.com/tingly-dev/tingly-box/issues/1548',
      read,
    }),
  ],
}

export const together: Vendor = {
  name: 'Together',
  type: 'chat-compatible/together',
  models: ['openai/gpt-oss-120b', 'deepseek-ai/DeepSeek-V4'],
  rules: [
    rule(
      'reasoning_effort must be low, medium or high',
      {
        of: isChat,
        models: /gpt-oss/,
        source: 'docs.together.ai/docs/inference/chat/reasoning',
        read,
      },
      ({ reasoning_effort: effort }) =>
        effort !== undefined && !/^(?:low|medium|high)$/.test(`${effort}`),
    ),
  ],
}
