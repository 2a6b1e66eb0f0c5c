/** How the API describes what a model is. */
import joi from 'joi'
import { capabilities, modalities, modelKinds } from './model-about.js'

const tokens = joi.number().integer().min(1).allow(null)
const data = joi
  .array()
  .items(joi.string().valid(...modalities))
  .allow(null)

/** Fields of a response; null is unknown, or not set. */
export const aboutForm = {
  kind: joi
    .string()
    .valid(...modelKinds)
    .allow(null),
  context_length: tokens.description('Tokens. Null: unknown.'),
  max_output: tokens.description('Tokens. Null: unknown.'),
  input_modalities: data.description('Null: unknown.'),
  output_modalities: data.description('Null: unknown.'),
  capabilities: joi
    .object(Object.fromEntries(capabilities.map((name) => [name, joi.boolean().optional()])))
    .allow(null)
    .description('True: it has it. False: it has not. Left out: unknown.'),
}
