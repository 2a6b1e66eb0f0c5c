/** Servers of open models: many a model's template takes one message of instructions, the first, and refuses any other. */
import type { ChatFacts } from './chat-facts.js'

export const templates: ChatFacts = {
  system: {
    stands: 'alone',
    source:
      'github.com/vllm-project/vllm/issues/41114, github.com/vllm-project/vllm/pull/57522, github.com/lmstudio-ai/lmstudio-bug-tracker/issues/2298, github.com/anthropics/claude-code/issues/77698 (llama.cpp), github.com/ollama/ollama/issues/17774',
    read: '2026-11-27',
  },
}
