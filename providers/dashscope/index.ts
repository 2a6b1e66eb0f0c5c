/** DashScope: chat, responses and embeddings in compatible mode, messages beside it; rerank and media in its own form. */
import type {
  Adapter,
  FormatAdapter,
  OwnOperationAdapter,
  Provider,
} from '../../kernel/contract/provider.js'
import { reportsUntold, splitInput } from '../../kernel/toolkit/operation/index.js'
import { bearerList, bearerRequest } from '../../kernel/toolkit/provider/index.js'
import { accepted, elsewhere, knowsTools, refusedOf } from '../../kernel/toolkit/vendors/index.js'
import { fail } from './fail.js'
import {
  messagesSwitchedOff,
  refusedInChat,
  refusedInMessages,
  switchedOff,
} from './forced-tools.js'
import { isImageModel, readImages, shapeImages } from './images.js'
import { urlOf } from './place.js'
import { answer, shape } from './rerank.js'
import { hasMessages, hasResponses } from './served-formats.js'
import { isSpeechModel, readSpeech, shapeSpeech } from './speech.js'
import { streamedOnly } from './streamed-only.js'
import { adjustThinking } from './thinking.js'
import { isTranscriber, readTranscript, shapeTranscript, unknownOf } from './transcripts.js'

/** Texts that one call for vectors may hold (help.aliyun.com/model-studio/text-embedding-synchronous-api). */
const textsAtOnce = 10

export default function create(): Provider {
  return {
    operations: {
      chat: [chat, messages, responses],
      embeddings: {
        format: 'same',
        split: (wire) => splitInput(wire, textsAtOnce),
        address: callTo('/compatible-mode/v1/embeddings'),
        fail,
      },
      rerank: {
        format: 'own',
        shape,
        address: callTo('/api/v1/services/rerank/text-rerank/text-rerank'),
        answer,
        fail,
      },
      images,
      edits: images,
      speech,
      transcriptions,
    },
    models: bearerList(({ baseUrl }) => urlOf(baseUrl, '/compatible-mode/v1/models'), fail),
  }
}

const chat: FormatAdapter = {
  format: 'chat',
  refuses: (wire, _channel, model) => refusedInChat(wire, model),
  adjust: (wire) => streamedOnly(adjustThinking(switchedOff(wire))),
  address: callTo('/compatible-mode/v1/chat/completions'),
  fail,
}

const messages: FormatAdapter = {
  format: 'messages',
  serves: (_channel, model) => hasMessages(model),
  refuses: (wire, _channel, model) => [
    ...refusedInMessages(wire, model),
    ...refusedOf(elsewhere, wire, model),
  ],
  adjust: (wire) => accepted(elsewhere, messagesSwitchedOff(wire)),
  forwards: ['anthropic-version', 'anthropic-beta'],
  address: callTo('/apps/anthropic/v1/messages'),
  fail,
}

const responses: FormatAdapter = {
  format: 'responses',
  serves: (_channel, model, client, call) => hasResponses(model) && knowsTools(client, call),
  address: callTo('/compatible-mode/v1/responses'),
  fail,
}

const images: OwnOperationAdapter = {
  ...ofMedia(),
  serves: (_channel, model) => isImageModel(model),
  shape: shapeImages,
  refuses: reportsUntold(),
  answer: readImages,
}

const speech: OwnOperationAdapter = {
  ...ofMedia(),
  serves: (_channel, model) => isSpeechModel(model),
  shape: shapeSpeech,
  answer: readSpeech,
}

const transcriptions: OwnOperationAdapter = {
  ...ofMedia(),
  serves: (_channel, model) => isTranscriber(model),
  shape: shapeTranscript,
  refuses: unknownOf,
  answer: readTranscript,
}

/** One interface for pictures, speech and transcripts, which the model tells apart. */
function ofMedia() {
  const address = callTo('/api/v1/services/aigc/multimodal-generation/generation')
  return { format: 'own', address, fail } as const
}

function callTo(path: string): Adapter['address'] {
  return (_wire, { baseUrl }, credentials, context) =>
    bearerRequest(urlOf(baseUrl, path), credentials, context)
}
