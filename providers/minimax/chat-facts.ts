/** What chat is refused on this service. */
import type { ChatFacts } from '../../kernel/toolkit/vendors/index.js'

const read = '2026-11-27'

export const facts: ChatFacts = {
  system: {
    stands: 'alone',
    source:
      'github.com/MiniMax-AI/MiniMax-M2/issues/51, github.com/MiniMax-AI/MiniMax-M2/issues/27, github.com/can1357/oh-my-pi/pull/954',
    read,
  },
  parameters: {
    source: 'github.com/QwenLM/qwen-code/issues/11905 (function parameters is empty)',
    read,
  },
}
