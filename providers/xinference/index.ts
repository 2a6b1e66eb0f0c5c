/** Models served by Xinference: OpenAI's forms, and rerank with names and an answer of its own. */
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
import { answerRanking, spellRanking } from './rerank.js'

export default function create(): Provider {
  return {
    operations: {
      chat: [chat, messages],
      completions: same('/v1/completions'),
      embeddings: same('/v1/embeddings'),
      rerank: { ...same('/v1/rerank'), adjust: spellRanking, answer: answerRanking },
      images: same('/v1/images/generations'),
      speech: same('/v1/audio/speech', '*/*'),
      transcriptions: same('/v1/audio/transcriptions', '*/*'),
      translations: same('/v1/audio/translations', '*/*'),
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

const version = { 'anthropic-version': '2023-06-01' }

/** A server may lack it, and says so only when it is called. */
const messages: FormatAdapter = {
  format: 'messages',
  serves: ({ settings }) => settings.messages_api === 'as-sent',
  refuses: (wire, _channel, model) => refusedOf(elsewhere, wire, model),
  adjust: (wire) => accepted(elsewhere, wire),
  address: callTo('/anthropic/v1/messages', undefined, version),
  fail,
}

function same(path: string, accept?: string): SameFormAdapter {
  return { format: 'same', address: callTo(path, accept), fail }
}
