/**
 * DeepSeek: chat, messages and responses at paths of their own, completions with a gap to fill. Its models think unless
 * it is switched off, and want their thoughts back where tools are used.
 */
import type { FormatAdapter, Provider } from '../../kernel/contract/provider.js'
import { bearerCall, bearerList } from '../../kernel/toolkit/provider/index.js'
import {
  accepted,
  callForcesTool,
  elsewhere,
  refusedOf,
  thinkingLost,
  withoutThinking,
} from '../../kernel/toolkit/vendors/index.js'
import { balance } from './balance.js'
import { fail } from './fail.js'
import { adjustThinking } from './thinking.js'

export default function create(): Provider {
  return {
    operations: {
      chat: [chat, messages, responses],
      completions: { format: 'same', address: bearerCall('/beta/completions'), fail },
    },
    models: bearerList('/models', fail),
    balance,
  }
}

const chat: FormatAdapter = {
  format: 'chat',
  refuses: thinkingLost,
  adjust: (wire) => adjustThinking(withoutThinking(wire)),
  address: bearerCall('/chat/completions'),
  fail,
}

const messages: FormatAdapter = {
  format: 'messages',
  refuses: (wire, _channel, model) => [...thinkingLost(wire), ...refusedOf(elsewhere, wire, model)],
  adjust: (wire) => accepted(elsewhere, withoutThinking(wire)),
  address: bearerCall('/anthropic/v1/messages'),
  fail,
}

const responses: FormatAdapter = {
  format: 'responses',
  serves: (_channel, _model, _client, call) => call === undefined || !callForcesTool(call()),
  address: bearerCall('/responses'),
  fail,
}
