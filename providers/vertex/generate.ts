/** Where Gemini's models do what is no chat, each by one whole answer. */
import type { Adapter } from '../../kernel/contract/provider.js'
import { callTo, publisherPath } from './place.js'

export const generate: Adapter['address'] = (_wire, channel, credentials, { model }) => {
  const path = publisherPath('google', model, 'generateContent')
  return callTo({ model, version: 'v1beta1', path }, channel, credentials)
}
