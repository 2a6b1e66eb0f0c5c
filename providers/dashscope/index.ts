/** DashScope: chat, responses and embeddings in compatible mode, messages beside it, rerank in its own form. */
import type { Adapter, FormatAdapter, Provider } from '../../kernel/contract/provider.js'
import { bearerList, bearerRequest } from '../../kernel/toolkit/provider/index.js'
import { fail } from './fail.js'
import { urlOf } from './place.js'
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
    models: bearerList(({ baseUrl }) => urlOf(baseUrl, '/compatible-mode/v1/models'), fail),
  }
}

const chat: FormatAdapter = {
  format: 'chat',
  adjust: adjustThinking,
  address: callTo('/compatible-mode/v1/chat/completions'),
  fail,
}

const messages: FormatAdapter = {
  format: 'messages',
  forwards: ['anthropic-version', 'anthropic-beta'],
  address: callTo('/apps/anthropic/v1/messages'),
  fail,
}

const responses: FormatAdapter = {
  format: 'responses',
  address: callTo('/compatible-mode/v1/responses'),
  fail,
}

function callTo(path: string): Adapter['address'] {
  return (_wire, { baseUrl }, credentials, context) =>
    bearerRequest(urlOf(baseUrl, path), credentials, context)
}
