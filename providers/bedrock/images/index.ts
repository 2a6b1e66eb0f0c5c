/** Pictures out of a prompt by InvokeModel. */
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { ChannelView, OwnOperationAdapter } from '../../../kernel/contract/provider.js'
import { notExpressible } from '../../../kernel/toolkit/errors/index.js'
import { jsonOf } from '../../../kernel/toolkit/operation/index.js'
import { fail } from '../fail.js'
import { invoke } from '../invoke.js'
import { modelBehind } from '../model.js'
import { amazon } from './amazon.js'
import { pictureAnswer } from './answer.js'
import { type ImageModel, imageModel } from './facts.js'
import { lostFields, lostIn } from './options.js'
import { stability } from './stability.js'

export const images: OwnOperationAdapter = {
  format: 'own',
  serves: (channel, model) => imageModel(modelBehind(channel, model)) !== undefined,
  shape(body, channel, model) {
    const requested = jsonOf(body)
    const known = knownModel(channel, model)
    const { drawing } = forms[known.form]
    return {
      kind: 'json',
      value: { ...drawing(requested, known), ...lostFields(requested, known) },
    }
  },
  refuses: (wire: JsonObject) => lostIn(wire),
  address: invoke,
  answer: pictureAnswer,
  fail,
}

export const forms = { amazon, stability } as const

export function knownModel(channel: ChannelView, model: string): ImageModel {
  const known = imageModel(modelBehind(channel, model))
  if (known === undefined) throw notExpressible('model')
  return known
}
