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
import {
  accepted,
  choiceLost,
  elsewhere,
  leftToModel,
  refusedOf,
} from '../../kernel/toolkit/vendors/index.js'
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

/** A tool is left to the model: "Tool choice must be auto" (README, Forced tools). */
const chat: FormatAdapter = {
  format: 'chat',
  refuses: choiceLost,
  adjust: leftToModel,
  address: callTo('/chat/completions'),
  fail,
}

const messages: FormatAdapter = {
  format: 'messages',
  forwards: ['anthropic-version', 'anthropic-beta'],
  refuses: (wire, _channel, model) => refusedOf(elsewhere, wire, model),
  adjust: (wire) => accepted(elsewhere, wire),
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
