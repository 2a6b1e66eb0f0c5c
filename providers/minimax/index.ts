/** MiniMax: chat, messages and responses as their clients know them, speech and images in forms of its own. */
import type {
  FormatAdapter,
  OwnOperationAdapter,
  Provider,
} from '../../kernel/contract/provider.js'
import { reportsUntold } from '../../kernel/toolkit/operation/index.js'
import {
  bearerCall,
  bearerList,
  bearerRequest,
  upstreamUrl,
} from '../../kernel/toolkit/provider/index.js'
import {
  accepted,
  elsewhere,
  knowsTools,
  refusedInChat,
  refusedOf,
  takenInChat,
} from '../../kernel/toolkit/vendors/index.js'
import { facts } from './chat-facts.js'
import { fail, failureIn } from './fail.js'
import { readImages, shapeImages } from './images.js'
import { answer, shape } from './speech.js'

export default function create(): Provider {
  return {
    operations: { chat: [chat, messages, responses], speech, images },
    models: bearerList('/v1/models', fail),
  }
}

const chat: FormatAdapter = {
  format: 'chat',
  refuses: (wire, _channel, model) => refusedInChat(facts, wire, model),
  adjust: (wire) => takenInChat(facts, wire),
  address: bearerCall('/v1/chat/completions'),
  failureIn,
  fail,
}

const messages: FormatAdapter = {
  format: 'messages',
  forwards: ['anthropic-version', 'anthropic-beta'],
  refuses: (wire, _channel, model) => refusedOf(elsewhere, wire, model),
  adjust: (wire) => accepted(elsewhere, wire),
  address: bearerCall('/anthropic/v1/messages'),
  fail,
}

const responses: FormatAdapter = {
  format: 'responses',
  serves: (_channel, _model, client, call) => knowsTools(client, call),
  address: bearerCall('/v1/responses'),
  fail,
}

const speech: OwnOperationAdapter = {
  format: 'own',
  shape,
  address(_wire, { baseUrl, settings }, credentials, context) {
    const group = typeof settings.group_id === 'string' ? settings.group_id.trim() : ''
    const query = group === '' ? '' : `?GroupId=${encodeURIComponent(group)}`
    const url = `${upstreamUrl(baseUrl, '/v1/t2a_v2')}${query}`
    return bearerRequest(url, credentials, { ...context, stream: false })
  },
  answer,
  fail,
}

const images: OwnOperationAdapter = {
  format: 'own',
  shape: shapeImages,
  refuses: reportsUntold(),
  address: bearerCall('/v1/image_generation'),
  answer: readImages,
  fail,
}
