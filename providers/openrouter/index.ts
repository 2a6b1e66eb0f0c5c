/** OpenRouter: many makers' models behind one key, in three chat formats; embeddings, rerank, pictures and sounds. */

import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import type {
  Adapter,
  ChannelView,
  FormatAdapter,
  Provider,
} from '../../kernel/contract/provider.js'
import { bearerList, bearerRequest, upstreamUrl } from '../../kernel/toolkit/provider/index.js'
import { knowsTools } from '../../kernel/toolkit/vendors/index.js'
import { balance } from './balance.js'
import { fail } from './fail.js'
import { pictures } from './images.js'

export default function create(): Provider {
  return {
    operations: {
      chat: [chat, messages, responses],
      embeddings: { format: 'same', address: callTo('/v1/embeddings'), fail },
      rerank: { format: 'same', adjust: bareTexts, address: callTo('/v1/rerank'), fail },
      speech: { format: 'same', address: callTo('/v1/audio/speech', '*/*'), fail },
      transcriptions: { format: 'same', address: callTo('/v1/audio/transcriptions'), fail },
      images: pictures(callTo('/v1/images')),
      edits: pictures(callTo('/v1/images')),
    },
    models: bearerList('/v1/models', fail),
    balance,
  }
}

const chat: FormatAdapter = {
  format: 'chat',
  knowsDeveloper: () => true,
  address: callTo('/v1/chat/completions'),
  fail,
}

const messages: FormatAdapter = {
  format: 'messages',
  forwards: ['anthropic-version', 'anthropic-beta'],
  address: callTo('/v1/messages'),
  fail,
}

const responses: FormatAdapter = {
  format: 'responses',
  serves: (_channel, _model, client, call) => knowsTools(client, call),
  knowsDeveloper: () => true,
  address: callTo('/v1/responses'),
  fail,
}

/** `accept` where the answer is media as well as JSON. */
function callTo(path: string, accept?: string): Adapter['address'] {
  return (_wire, channel, credentials, context) => {
    const url = upstreamUrl(channel.baseUrl, path)
    return bearerRequest(url, credentials, context, { ...siteOf(channel), accept })
  }
}

/** Documents are texts here; `{text}` is one. */
function bareTexts(wire: JsonObject): JsonObject {
  const { documents } = wire
  if (!Array.isArray(documents) || !documents.some(isObject)) return wire
  const texts = documents.map((one) =>
    isObject(one) && typeof one.text === 'string' ? one.text : one,
  )
  return { ...wire, documents: texts }
}

/** The caller's name, as the operator sets it; nothing of it is sent unless it is set. */
function siteOf({ settings }: ChannelView): Record<string, string | undefined> {
  return { 'http-referer': words(settings.site_url), 'x-title': words(settings.site_name) }
}

/** Headers hold no other characters than these. */
function words(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value.replace(/[^\x20-\x7e]/g, '').trim() : undefined
}
