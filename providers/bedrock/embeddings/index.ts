/** Vectors by InvokeModel, and back to the form clients know. */
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { ChannelView, OwnOperationAdapter } from '../../../kernel/contract/provider.js'
import { notExpressible } from '../../../kernel/toolkit/errors/index.js'
import { jsonOf } from '../../../kernel/toolkit/operation/index.js'
import { fail } from '../fail.js'
import { invoke } from '../invoke.js'
import { modelBehind } from '../model.js'
import { embeddingAnswer } from './answer.js'
import { embeddingModel } from './facts.js'
import { embeddingBody } from './forms.js'

export const embeddings: OwnOperationAdapter = {
  format: 'own',
  serves: (channel, model) => embeddingModel(modelBehind(channel, model)) !== undefined,
  shape: (body, channel, model) => ({ kind: 'json', value: bodyFor(jsonOf(body), channel, model) }),
  address: invoke,
  answer: embeddingAnswer,
  fail,
}

function bodyFor(requested: JsonObject, channel: ChannelView, model: string): JsonObject {
  const known = embeddingModel(modelBehind(channel, model))
  if (known === undefined) throw notExpressible('model')
  const { input_type: purpose = 'search_document' } = channel.settings
  return embeddingBody(requested, known, String(purpose))
}
