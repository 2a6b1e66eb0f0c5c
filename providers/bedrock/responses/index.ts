/** OpenAI's models by the responses API, in their own words (user guide, inference-responses-api, 2026-11-27). */
import type { Body } from '../../../kernel/contract/body.js'
import type { FormatName } from '../../../kernel/contract/names.js'
import type { ChannelView, FormatAdapter } from '../../../kernel/contract/provider.js'
import { bytesOf, changed } from '../../../kernel/toolkit/body/index.js'
import { post } from '../call.js'
import { failInOpenAiWords } from '../fail.js'
import { type ResponsesRoute, routeOf } from './routes.js'

export const responses: FormatAdapter = {
  format: 'responses',
  serves,
  knowsDeveloper: () => true,
  address(wire, channel, credentials, context) {
    const { endpoint, path, unversioned } = routeOf(context.model) ?? elsewhere
    const accept = context.stream ? 'text/event-stream' : 'application/json'
    const sent = unversioned === true ? withoutVersion(wire) : wire
    const body = sent.kind === 'json' ? bytesOf(sent) : '{}'
    return post({ endpoint, path, accept, body }, channel, credentials, context)
  },
  fail: failInOpenAiWords,
}

/** The open models are served by Converse too, which is where an operator may want to keep them. */
function serves({ settings }: ChannelView, model: string, client?: FormatName): boolean {
  const route = routeOf(model)
  if (route === undefined) return false
  return (
    route.onlyOwnClients !== true ||
    (client === 'responses' && settings.responses_api !== 'convert')
  )
}

const elsewhere: Pick<ResponsesRoute, 'endpoint' | 'path' | 'unversioned'> = {
  endpoint: 'runtime',
  path: '/openai/v1/responses',
}

function withoutVersion(wire: Body): Body {
  if (wire.kind !== 'json' || typeof wire.value.model !== 'string') return wire
  const model = wire.value.model.replace(/-\d+:\d+$/, '')
  return changed(wire, { ...wire.value, model })
}
