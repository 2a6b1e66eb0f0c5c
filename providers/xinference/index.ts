/** Models served by Xinference: OpenAI's forms, and rerank with names and an answer of its own. */
import type { Provider, SameFormAdapter } from '../../kernel/contract/provider.js'
import { refusedInChat, takenInChat, templates } from '../../kernel/toolkit/vendors/index.js'
import { callTo } from './call.js'
import { fail } from './fail.js'
import { models } from './models.js'
import { answerRanking, spellRanking } from './rerank.js'

export default function create(): Provider {
  return {
    operations: {
      chat: {
        format: 'chat',
        refuses: (wire, _channel, model) => refusedInChat(templates, wire, model),
        adjust: (wire) => takenInChat(templates, wire),
        address: callTo('/v1/chat/completions'),
        fail,
      },
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

function same(path: string, accept?: string): SameFormAdapter {
  return { format: 'same', address: callTo(path, accept), fail }
}
