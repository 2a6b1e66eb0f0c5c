/** xAI: chat, responses and realtime as their clients know them, images by shape instead of size, speech both ways. */
import type { FormatAdapter, Provider, SameFormAdapter } from '../../kernel/contract/provider.js'
import { bearerCall, bearerList } from '../../kernel/toolkit/provider/index.js'
import { edits } from './edits.js'
import { fail } from './fail.js'
import { realtime } from './realtime.js'
import { speech } from './speech.js'
import { spellSize } from './spell-size.js'
import { transcriptions } from './transcripts.js'

export default function create(): Provider {
  return {
    operations: { chat: [chat, responses], images, edits, speech, transcriptions, realtime },
    models: bearerList('/v1/models', fail),
  }
}

const chat: FormatAdapter = { format: 'chat', address: bearerCall('/v1/chat/completions'), fail }

const responses: FormatAdapter = { format: 'responses', address: bearerCall('/v1/responses'), fail }

const images: SameFormAdapter = {
  format: 'same',
  adjust: spellSize,
  address: bearerCall('/v1/images/generations'),
  fail,
}
