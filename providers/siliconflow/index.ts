/** SiliconFlow: open models behind the paths clients know; only images have fields of their own. */
import type {
  Adapter,
  FormatAdapter,
  Provider,
  SameFormAdapter,
} from '../../kernel/contract/provider.js'
import { splitInput } from '../../kernel/toolkit/operation/index.js'
import { bearerList, bearerRequest, upstreamUrl } from '../../kernel/toolkit/provider/index.js'
import { accepted, elsewhere, refusedOf } from '../../kernel/toolkit/vendors/index.js'
import { balance } from './balance.js'
import { fail } from './fail.js'
import { answer, refuses, shape } from './images.js'

/** Texts that one call for vectors may hold (docs.siliconflow.cn, create-embeddings). */
const textsAtOnce = 32

export default function create(): Provider {
  return {
    operations: {
      chat: [chat, messages],
      embeddings: {
        ...same('/v1/embeddings'),
        split: (wire) => splitInput(wire, textsAtOnce),
      },
      rerank: same('/v1/rerank'),
      images: {
        format: 'own',
        shape,
        refuses,
        address: callTo('/v1/images/generations'),
        answer,
        fail,
      },
      speech: same('/v1/audio/speech', '*/*'),
      transcriptions: same('/v1/audio/transcriptions'),
    },
    models: bearerList('/v1/models', fail),
    balance,
  }
}

const chat: FormatAdapter = { format: 'chat', address: callTo('/v1/chat/completions'), fail }

const messages: FormatAdapter = {
  format: 'messages',
  forwards: ['anthropic-version', 'anthropic-beta'],
  refuses: (wire, _channel, model) => refusedOf(elsewhere, wire, model),
  adjust: (wire) => accepted(elsewhere, wire),
  address: callTo('/v1/messages'),
  fail,
}

function same(path: string, accept?: string): SameFormAdapter {
  return { format: 'same', address: callTo(path, accept), fail }
}

function callTo(path: string, accept?: string): Adapter['address'] {
  return (_wire, { baseUrl }, credentials, context) =>
    bearerRequest(upstreamUrl(baseUrl, path), credentials, context, { accept })
}
