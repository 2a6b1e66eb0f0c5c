/** Pictures out of pictures and a prompt by InvokeModel, with the models that are shown some. */
import type { OwnOperationAdapter } from '../../../kernel/contract/provider.js'
import { jsonOf } from '../../../kernel/toolkit/operation/index.js'
import { modelBehind } from '../model.js'
import { imageModel } from './facts.js'
import { forms, images, knownModel } from './index.js'
import { lostFields } from './options.js'
import { shownPictures } from './shown.js'

export const edits: OwnOperationAdapter = {
  ...images,
  serves: (channel, model) => imageModel(modelBehind(channel, model))?.shownMax !== undefined,
  shape(body, channel, model) {
    const known = knownModel(channel, model)
    const requested = jsonOf(body)
    const pictures = shownPictures(body, known.shownMax ?? 0)
    const { redrawing } = forms[known.form]
    const value = { ...redrawing(requested, pictures, known), ...lostFields(requested, known) }
    return { kind: 'json', value }
  },
}
