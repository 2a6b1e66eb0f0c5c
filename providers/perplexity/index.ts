/** Perplexity: answers that have searched, by the Agent API or the chat completions it has retired, and embeddings. */
import type { Adapter, FormatAdapter, Provider } from '../../kernel/contract/provider.js'
import { upstreamFailure } from '../../kernel/toolkit/errors/index.js'
import { bearerRequest, upstreamUrl } from '../../kernel/toolkit/provider/index.js'
import { alternate } from './alternate.js'
import { embeddings } from './embeddings.js'
import { withoutOwnCalls } from './own-calls.js'
import { adjust, refuses } from './request.js'

export default function create(): Provider {
  return { operations: { chat: [agent, chatCompletions], embeddings } }
}

const agent: FormatAdapter = {
  format: 'responses',
  serves: ({ settings }) => settings.api !== 'chat-completions',
  knowsDeveloper: () => true,
  // Its server-sent events hold what is no client's business, so they are framed anew.
  streamTypes: ['text/event-stream'],
  unframe: withoutOwnCalls,
  refuses,
  adjust,
  address: callTo('/v1/agent'),
  fail,
}

/** Turns that alternate, usage in every chunk, a stream that just ends. */
const chatCompletions: FormatAdapter = {
  format: 'chat',
  serves: ({ settings }) => settings.api === 'chat-completions',
  requestsUsage: false,
  adjust: alternate,
  address: callTo('/chat/completions'),
  fail,
}

function callTo(path: string): Adapter['address'] {
  return (_wire, { baseUrl }, credentials, context) =>
    bearerRequest(upstreamUrl(baseUrl, path), credentials, context)
}

function fail(...[status, headers, head]: Parameters<Adapter['fail']>) {
  return upstreamFailure({ status, headers, head })
}
