/**
 * The messages format where services that serve models of other makers document it: what agents bring along by betas of
 * the format's maker is not part of it.
 */
import type { MessagesFacts } from './messages-facts.js'

const read = '2026-11-27'

export const elsewhere: MessagesFacts = {
  members: [
    {
      members: ['context_management'],
      source:
        'github.com/anthropics/claude-code/issues/14135, github.com/decolua/9router/issues/1468',
      read,
    },
  ],
  systemTurns: [
    {
      source:
        'github.com/deepseek-ai/DeepSeek-V3/issues/1370, github.com/QwenLM/Qwen/issues/2244, github.com/anthropics/claude-code/issues/77698 (llama.cpp), github.com/ollama/ollama/issues/17774, github.com/vllm-project/vllm/issues/41114, support.huaweicloud.com/usermanual-maas-modelarts/maas-modelarts-0085.html',
      read,
    },
  ],
}
