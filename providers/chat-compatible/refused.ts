/** What a service refuses of a request: it is left out, or said otherwise, and the client is told which. */
import type { JsonObject } from '../../kernel/contract/json.js'
import type { FormatAdapter } from '../../kernel/contract/provider.js'
import {
  accepted,
  elsewhere,
  knowsTools,
  refusedInChat,
  refusedOf,
  takenInChat,
} from '../../kernel/toolkit/vendors/index.js'
import { lostToNeeds, meeting } from './chat-needs.js'
import { takesResponses } from './responses-facts.js'
import { serviceOf } from './services.js'
import { refuseUnheeded } from './unheeded.js'

type Verbs = Pick<FormatAdapter, 'refuses' | 'adjust'>

export const ofChat: Verbs = {
  refuses(wire, { type }, model) {
    const { chat = {} } = serviceOf(type)
    return [...refusedInChat(chat, wire, model), ...lostToNeeds(chat, wire, model)]
  },
  adjust(wire: JsonObject, { type }) {
    const { chat, unheeded = [] } = serviceOf(type)
    refuseUnheeded(unheeded, wire)
    if (chat === undefined) return wire
    const model = typeof wire.model === 'string' ? wire.model : ''
    return takenInChat(chat, meeting(chat, wire, model))
  },
}

export const ofMessages: Verbs = {
  refuses: (wire, { type }, model) =>
    serviceOf(type).passesOn === true ? [] : refusedOf(elsewhere, wire, model),
  adjust: (wire, { type }) =>
    serviceOf(type).passesOn === true ? wire : accepted(elsewhere, wire),
}

export const servesResponses: NonNullable<FormatAdapter['serves']> = (
  { type },
  model,
  client,
  call,
) => {
  const { paths, passesOn, responses } = serviceOf(type)
  if (paths.responses === undefined) return false
  if (responses !== undefined && !takesResponses(responses, model, call)) return false
  return passesOn === true || knowsTools(client, call)
}
