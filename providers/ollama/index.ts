/**
 * Models that run at home, and Ollama's own cloud: its endpoints in the forms of OpenAI and Anthropic, with a key
 * where there is one.
 */
import type { FormatAdapter, Provider, SameFormAdapter } from '../../kernel/contract/provider.js'
import {
  accepted,
  elsewhere,
  refusedInChat,
  refusedOf,
  takenInChat,
  templates,
} from '../../kernel/toolkit/vendors/index.js'
import { callTo } from './call.js'
import { fail } from './fail.js'
import { models } from './models.js'

export default function create(): Provider {
  return {
    operations: {
      chat: [chat, messages],
      completions: same('/v1/completions'),
      embeddings: same('/v1/embeddings'),
      images: same('/v1/images/generations'),
    },
    models,
  }
}

const chat: FormatAdapter = {
  format: 'chat',
  refuses: (wire, _channel, model) => refusedInChat(templates, wire, model),
  adjust: (wire) => takenInChat(templates, wire),
  address: callTo('/v1/chat/completions'),
  fail,
}

/** Its cloud refuses a call that names no version, or an older one. */
const messages: FormatAdapter = {
  format: 'messages',
  refuses: (wire, _channel, model) => refusedOf(elsewhere, wire, model),
  adjust: (wire) => accepted(elsewhere, wire),
  address: callTo('/v1/messages', { 'anthropic-version': '2023-06-01' }),
  fail,
}

function same(path: string): SameFormAdapter {
  return { format: 'same', address: callTo(path), fail }
}
