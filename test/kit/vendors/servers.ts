/** Servers of open models, with a model whose template is strict. */
import { noSystemTurns, systemIsOne, systemStandsFirst, toolTypesAre } from './rules.js'
import type { Vendor } from './vendor.js'

const read = '2026-11-27'

const template = {
  source:
    'github.com/vllm-project/vllm/issues/41114, github.com/ollama/ollama/issues/17774, github.com/lmstudio-ai/lmstudio-bug-tracker/issues/2298, github.com/anthropics/claude-code/issues/77698',
  read,
}

const rules = [
  systemStandsFirst(template),
  systemIsOne(template),
  noSystemTurns(template),
  toolTypesAre(['function', 'web_search', 'mcp', 'code_interpreter'], {
    source: 'github.com/lmstudio-ai/lmstudio-bug-tracker/issues/2298',
    read,
  }),
]

const served = (name: string, type: number | string): Vendor => {
  return { name, type, models: ['qwen3.8-27b'], rules }
}

export const servers: readonly Vendor[] = [
  served('vLLM', 62),
  served('SGLang', 63),
  served('llama.cpp', 'chat-compatible/llama-cpp'),
  served('LM Studio', 'chat-compatible/lm-studio'),
  served('Ollama', 4),
  served('Xinference', 47),
]
