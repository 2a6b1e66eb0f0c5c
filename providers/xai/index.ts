/** xAI: chat, responses and realtime as their clients know them, images by shape instead of size, speech both ways. */
import type { FormatAdapter, Provider, SameFormAdapter } from '../../kernel/contract/provider.js'
import { bearerCall, bearerList } from '../../kernel/toolkit/provider/index.js'
import { knowsTools, refusedInChat } from '../../kernel/toolkit/vendors/index.js'
import { edits } from './edits.js'
import { facts, refusedInResponses } from './facts.js'
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

const chat: FormatAdapter = {
  format: 'chat',
  refuses: (wire, _channel, model) => refusedInChat(facts, wire, model),
  address: bearerCall('/v1/chat/completions'),
  fail,
}

const responses: FormatAdapter = {
  format: 'responses',
  serves: (_channel, _model, client, call) => knowsTools(client, call),
  refuses: (wire, _channel, model) => refusedInResponses(wire, model),
  address: bearerCall('/v1/responses'),
  fail,
}

const images: SameFormAdapter = {
  format: 'same',
  adjust: spellSize,
  address: bearerCall('/v1/images/generations'),
  fail,
}
