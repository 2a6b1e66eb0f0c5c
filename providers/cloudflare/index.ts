/** Models that run on Cloudflare's network: at its endpoints in OpenAI's form, and by their native inputs. */
import type { AdapterBase, Provider } from '../../kernel/contract/provider.js'
import { splitInput } from '../../kernel/toolkit/operation/index.js'
import { bearerRequest } from '../../kernel/toolkit/provider/index.js'
import { takenInChat } from '../../kernel/toolkit/vendors/index.js'
import { accountUrl } from './address.js'
import { facts } from './chat-facts.js'
import { fail } from './fail.js'
import { images } from './images.js'
import { models } from './models.js'
import { rerank } from './rerank.js'
import { transcripts } from './transcripts.js'

/** Texts that one call for vectors may hold (github.com/cloudflare/cloudflare-docs/issues/11316). */
const textsAtOnce = 100

export default function create(): Provider {
  return {
    operations: {
      chat: {
        format: 'chat',
        adjust: (wire) => takenInChat(facts, wire),
        ...at('/v1/chat/completions'),
      },
      embeddings: {
        format: 'same',
        ...at('/v1/embeddings'),
        split: (wire) => splitInput(wire, textsAtOnce),
      },
      images,
      rerank,
      transcriptions: transcripts('transcribe'),
      translations: transcripts('translate'),
    },
    models,
  }
}

function at(path: string): AdapterBase {
  return {
    address: (_wire, channel, credentials, context) =>
      bearerRequest(`${accountUrl(channel)}${path}`, credentials, context),
    fail,
  }
}
