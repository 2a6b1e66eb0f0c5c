/**
 * Models that run at home, and Ollama's own cloud: its endpoints in the forms of OpenAI and Anthropic, with a key
 * where there is one, and its own API where what only that one takes was asked for.
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
import { chat as nativeChat, embeddings as nativeEmbeddings, wantsNative } from './native/index.js'

export default function create(): Provider {
  return {
    operations: {
      chat: [chat, messages, nativeChat],
      completions: same('/v1/completions'),
      embeddings: [nativeEmbeddings, same('/v1/embeddings')],
      images: same('/v1/images/generations'),
    },
    models,
  }
}

const compatible: Pick<FormatAdapter, 'serves' | 'fail'> = {
  serves: (channel, _model, _client, call) => !wantsNative(channel, call),
  fail,
}

const chat: FormatAdapter = {
  ...compatible,
  format: 'chat',
  refuses: (wire, _channel, model) => refusedInChat(templates, wire, model),
  adjust: (wire) => takenInChat(templates, wire),
  address: callTo('/v1/chat/completions'),
}

/** Its cloud refuses a call that names no version, or an older one. */
const messages: FormatAdapter = {
  ...compatible,
  format: 'messages',
  refuses: (wire, _channel, model) => refusedOf(elsewhere, wire, model),
  adjust: (wire) => accepted(elsewhere, wire),
  address: callTo('/v1/messages', { 'anthropic-version': '2023-06-01' }),
}

function same(path: string): SameFormAdapter {
  return { format: 'same', address: callTo(path), fail }
}
