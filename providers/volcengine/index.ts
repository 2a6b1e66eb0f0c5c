/** VolcEngine Ark: everything under `/api/v3`, messages beside it, applications beside models, a coding plan. */
import type {
  Adapter,
  ChannelView,
  FormatAdapter,
  OwnOperationAdapter,
  Provider,
  SameFormAdapter,
} from '../../kernel/contract/provider.js'
import { bearerRequest } from '../../kernel/toolkit/provider/index.js'
import { accepted, elsewhere, knowsTools, refusedOf } from '../../kernel/toolkit/vendors/index.js'
import { answer, shape, split } from './embeddings.js'
import { fail } from './fail.js'
import { canEdit, counted, imageBody, untoldOf } from './images.js'
import { hasMessages } from './messages-models.js'
import { models } from './models.js'
import { isPlan, urlOf } from './place.js'

export default function create(): Provider {
  return {
    operations: {
      chat: [chat, messages, responses],
      embeddings: [embeddings, visionEmbeddings],
      images,
      edits: {
        ...images,
        serves: (channel, model) => isPayAsYouGo(channel) && canEdit(model),
      },
    },
    models,
  }
}

/** An application of the operator's goes by the name of a model. */
const chat: FormatAdapter = {
  format: 'chat',
  address(_wire, { baseUrl }, credentials, context) {
    const path = context.model.startsWith('bot-') ? '/bots/chat/completions' : '/chat/completions'
    return bearerRequest(urlOf(baseUrl, path), credentials, context)
  },
  fail,
}

const messages: FormatAdapter = {
  format: 'messages',
  serves: ({ baseUrl }, model) => isPlan(baseUrl) || hasMessages(model),
  forwards: ['anthropic-version', 'anthropic-beta'],
  refuses: (wire, _channel, model) => refusedOf(elsewhere, wire, model),
  adjust: (wire) => accepted(elsewhere, wire),
  address(_wire, { baseUrl }, credentials, context) {
    const place = isPlan(baseUrl) ? 'coding' : 'compatible'
    return bearerRequest(urlOf(baseUrl, `/api/${place}/v1/messages`), credentials, context)
  },
  fail,
}

const responses: FormatAdapter = {
  format: 'responses',
  serves: (channel, model, client, call) =>
    isPayAsYouGo(channel) && !model.startsWith('bot-') && knowsTools(client, call),
  refuses: ({ prompt_cache_key: key }) => (key === undefined ? [] : ['prompt_cache_key']),
  address: callTo('/responses'),
  fail,
}

const embeddings: SameFormAdapter = {
  format: 'same',
  serves: (_channel, model) => !model.includes('vision'),
  address: callTo('/embeddings'),
  fail,
}

/** Models that read pictures too have a path of their own and make one vector of all they are given. */
const visionEmbeddings: OwnOperationAdapter = {
  format: 'own',
  serves: (_channel, model) => model.includes('vision'),
  shape,
  split,
  address: callTo('/embeddings/multimodal'),
  answer,
  fail,
}

const images: SameFormAdapter = {
  format: 'same',
  serves: isPayAsYouGo,
  refuses: (wire, _channel, model) => untoldOf(wire, model),
  adjust: counted,
  address(wire, { baseUrl }, credentials, context) {
    const request = bearerRequest(urlOf(baseUrl, '/images/generations'), credentials, context)
    return { ...request, body: JSON.stringify(imageBody(wire, context.model)) }
  },
  fail,
}

function isPayAsYouGo({ baseUrl }: ChannelView): boolean {
  return !isPlan(baseUrl)
}

function callTo(path: string): Adapter['address'] {
  return (_wire, { baseUrl }, credentials, context) =>
    bearerRequest(urlOf(baseUrl, path), credentials, context)
}
