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
import { serviceOf } from './services.js'
import { refuseUnheeded } from './unheeded.js'

type Verbs = Pick<FormatAdapter, 'refuses' | 'adjust'>

export const ofChat: Verbs = {
  refuses: (wire, { type }, model) => refusedInChat(serviceOf(type).chat ?? {}, wire, model),
  adjust(wire: JsonObject, { type }) {
    const { chat, unheeded = [] } = serviceOf(type)
    refuseUnheeded(unheeded, wire)
    return chat === undefined ? wire : takenInChat(chat, wire)
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
  _model,
  client,
  call,
) => {
  const { paths, passesOn } = serviceOf(type)
  return paths.responses !== undefined && (passesOn === true || knowsTools(client, call))
}
