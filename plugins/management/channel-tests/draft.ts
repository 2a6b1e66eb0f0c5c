/** A channel nobody has saved yet, as far as a question to its upstream needs one. */
import type { Channel, ChannelKey } from '../../../kernel/contract/line/channel.js'
import type { Catalog } from '../../../kernel/contract/services/catalog.js'
import { unfit } from './answers.js'
import type { DraftChannel } from './forms.js'

/** Ids of rows begin at 1. */
const unsaved = 0

/** Throws `invalid_field` for a type nobody knows, or one whose address has to be named. */
export function draftOf(
  { base_url, type, key, settings }: DraftChannel,
  catalog: Pick<Catalog, 'channelTypes'>,
): { readonly channel: Channel; readonly key: ChannelKey } {
  const known = catalog.channelTypes().find((one) => one.id === type)
  if (known === undefined) throw unfit('There is no such channel type.', 'type')
  const baseUrl = base_url || known.baseUrl
  if (baseUrl === '') throw unfit('Channels of this type must name their base_url.', 'base_url')
  const declared = known.fields.filter(({ default: value }) => value !== undefined)
  const defaults = Object.fromEntries(declared.map((field) => [field.name, field.default]))
  const only: ChannelKey = { id: unsaved, text: key, enabled: true }
  const channel: Channel = {
    id: unsaved,
    type,
    name: '',
    baseUrl,
    settings: { ...defaults, ...settings },
    groups: [],
    models: new Set(),
    priority: 0,
    weight: 0,
    modelMapping: {},
    paramOverride: {},
    headerOverride: {},
    statusCodeMapping: {},
    onClientGone: 'abort',
    keys: [only],
    keyMode: 'random',
    enabled: false,
    autoBan: false,
    overrideSystemPrompt: false,
    passThroughBody: false,
  }
  return { channel, key: only }
}
