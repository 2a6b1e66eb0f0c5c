/** Zhipu v4 and its international twin: everything under `/api/paas/v4`, messages apart, a coding plan with less. */
import type {
  Adapter,
  ChannelView,
  FormatAdapter,
  Provider,
  SameFormAdapter,
} from '../../kernel/contract/provider.js'
import { splitInput } from '../../kernel/toolkit/operation/index.js'
import { bearerList, bearerRequest } from '../../kernel/toolkit/provider/index.js'
import { fail } from './fail.js'
import { isPlan, urlOf } from './place.js'
import { readSpeech, shapeSpeech } from './speech.js'

/** Texts that one call for vectors may hold (docs.bigmodel.cn, embedding-3). */
const textsAtOnce = 64

export default function create(): Provider {
  return {
    operations: {
      chat: [chat, messages],
      embeddings: {
        ...payAsYouGo('/embeddings'),
        split: (wire) => splitInput(wire, textsAtOnce),
      },
      images: payAsYouGo('/images/generations'),
      rerank: payAsYouGo('/rerank'),
      speech: {
        ...payAsYouGo('/audio/speech'),
        ...{ format: 'own', shape: shapeSpeech, answer: readSpeech },
      },
      transcriptions: payAsYouGo('/audio/transcriptions'),
    },
    models: bearerList(({ baseUrl }) => urlOf(baseUrl, '/models'), fail),
  }
}

const chat: FormatAdapter = { format: 'chat', address: callTo('/chat/completions'), fail }

const messages: FormatAdapter = {
  format: 'messages',
  forwards: ['anthropic-version', 'anthropic-beta'],
  address: callTo('/api/anthropic/v1/messages'),
  fail,
}

/** The coding plan is for chat alone. */
function payAsYouGo(path: string): SameFormAdapter {
  return {
    format: 'same',
    serves: ({ baseUrl }: ChannelView) => !isPlan(baseUrl),
    address: callTo(path),
    fail,
  }
}

function callTo(path: string): Adapter['address'] {
  return (_wire, { baseUrl }, credentials, context) =>
    bearerRequest(urlOf(baseUrl, path), credentials, context)
}
