/** Realtime over the Live API: the socket of a service that speaks messages of its own, in the events realtime clients speak. */
import type {
  AddressContext,
  ChannelView,
  Credentials,
  SameFormAdapter,
} from '../../../kernel/contract/provider.js'
import { bareName, root } from '../address.js'
import { fail } from '../fail.js'
import { isLive } from './facts.js'
import { LiveTranslator } from './translator.js'

export const realtime: SameFormAdapter = {
  format: 'same',
  serves: (_channel, model) => isLive(model),
  address: (_wire, channel, credentials) => ({
    method: 'GET',
    url: urlOf(channel),
    headers: headersOf(credentials),
  }),
  socket: (channel, credentials) => ({
    url: urlOf(channel).replace(/^http/, 'ws'),
    headers: headersOf(credentials),
    protocols: [],
  }),
  frames: (_channel, { model, requestId }: AddressContext) =>
    new LiveTranslator(bareName(model), requestId?.replace(/\W/g, '') ?? 'live'),
  fail,
}

/** The version stands in the name of the service. */
function urlOf(channel: ChannelView): string {
  const [, base, version] = /^(.*)\/([^/]+)$/.exec(root(channel))!
  return `${base}/ws/google.ai.generativelanguage.${version}.GenerativeService.BidiGenerateContent`
}

function headersOf({ key, token }: Credentials): Readonly<Record<string, string>> {
  return { 'x-goog-api-key': (token ?? key).trim() }
}
