/** DashScope: chat, responses and embeddings in compatible mode, messages beside it, rerank in its own form. */
import type { Adapter, Provider } from '../../kernel/contract/provider.js'
import { normalBase } from '../../kernel/wire/address.js'
import { bearerRequest } from '../../kernel/wire/bearer-request.js'
import { fail } from './fail.js'
import { answer, shape } from './rerank.js'
import { adjustThinking } from './thinking.js'

export default function create(): Provider {
  return {
    operations: {
      chat: [chat, messages, responses],
      embeddings: { format: 'same', address: callTo('/compatible-mode/v1/embeddings'), fail },
      rerank: {
        format: 'own',
        shape,
        address: callTo('/api/v1/services/rerank/text-rerank/text-rerank'),
        answer,
        fail,
      },
    },
  }
}

const chat: Adapter = {
  format: 'chat',
  adjust: adjustThinking,
  address: callTo('/compatible-mode/v1/chat/completions'),
  fail,
}

const messages: Adapter = {
  format: 'messages',
  forwards: ['anthropic-version', 'anthropic-beta'],
  address: callTo('/apps/anthropic/v1/messages'),
  fail,
}

const responses: Adapter = {
  format: 'responses',
  address: callTo('/compatible-mode/v1/responses'),
  fail,
}

/** The documentation gives the base with the mode; both are the same place. */
const mode = /\/compatible-mode$/

function callTo(path: string): Adapter['address'] {
  return (_wire, { baseUrl }, credentials, context) =>
    bearerRequest(`${normalBase(baseUrl).replace(mode, '')}${path}`, credentials, context)
}
