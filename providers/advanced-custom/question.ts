/** A question of management, put by the route the operator gave it. */
import type { ChannelView, Credentials, UpstreamRequest } from '../../kernel/contract/provider.js'
import { Refusal } from '../../kernel/toolkit/errors/index.js'
import { sent } from './auth.js'
import { readDocument } from './document.js'
import { addressOf, joined } from './target.js'

export function questionBy(
  incomingPath: string,
): (channel: ChannelView, credentials: Credentials) => UpstreamRequest {
  return ({ baseUrl, settings }, credentials) => {
    const { questions } = readDocument(settings)
    const question = questions.find((one) => one.incomingPath === incomingPath)
    if (question === undefined || question.target.includes('{model}')) {
      const reason = `The channel has no route for ${incomingPath} that names no model.`
      throw new Refusal('invalid_request', { reason, param: 'settings' })
    }
    const { headers, query } = sent(question.auth, credentials)
    return {
      method: 'GET',
      url: joined(addressOf(question.target, baseUrl), query),
      headers: { accept: 'application/json', ...headers },
    }
  }
}
