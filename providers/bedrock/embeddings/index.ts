/** Vectors by InvokeModel, and back to the form clients know. */
import type { Body } from '../../../kernel/contract/body.js'
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
import { inputsOf } from './inputs.js'

export const embeddings: OwnOperationAdapter = {
  format: 'own',
  serves: (channel, model) => embeddingModel(modelBehind(channel, model)) !== undefined,
  shape: (body, channel, model) => ({ kind: 'json', value: bodyFor(jsonOf(body), channel, model) }),
  split: calls,
  address: invoke,
  answer: embeddingAnswer,
  fail,
}

function bodyFor(requested: JsonObject, channel: ChannelView, model: string): JsonObject {
  const known = embeddingModel(modelBehind(channel, model))
  if (known === undefined) throw notExpressible('model')
  const { input_type: purpose = 'search_document' } = channel.settings
  const bodies = inputsOf(requested.input, known).map((inputs) =>
    embeddingBody(inputs, requested, { model: known, purpose: String(purpose) }),
  )
  return bodies.length === 1 ? bodies[0]! : { bodies }
}

/** Of more inputs than one call holds there are several bodies. What an operator set beside them holds for each. */
function calls(wire: Body): readonly Body[] {
  const { bodies, ...rest } = jsonOf(wire)
  if (!Array.isArray(bodies)) return [wire]
  return bodies.map((body) => ({ kind: 'json', value: { ...(body as JsonObject), ...rest } }))
}
