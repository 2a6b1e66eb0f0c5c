/** What a model is, in the words of the table of known models, of admins' entries and of the catalogue. */
import joi from 'joi'

export const modelKinds = [
  'chat',
  'completion',
  'embedding',
  'rerank',
  'image',
  'speech',
  'transcription',
  'video',
  'music',
  'realtime',
  'moderation',
  'ocr',
] as const
export type ModelKind = (typeof modelKinds)[number]

export const modalities = ['text', 'image', 'audio', 'video', 'embedding', 'score'] as const
export type Modality = (typeof modalities)[number]

export const capabilities = ['tools', 'structured_output', 'reasoning', 'prompt_cache'] as const
export type Capability = (typeof capabilities)[number]

/** What is absent is unknown. */
export interface ModelAbout {
  readonly kind?: ModelKind
  /** Tokens of input and output together, or of input, as the vendor counts. */
  readonly context_length?: number
  readonly max_output?: number
  readonly input_modalities?: readonly Modality[]
  readonly output_modalities?: readonly Modality[]
  /** True: it has it; false: it has not; absent: unknown. */
  readonly capabilities?: Readonly<Partial<Record<Capability, boolean>>>
}

/** Fields of `ModelAbout`. */
export const aboutFields = [
  'kind',
  'context_length',
  'max_output',
  'input_modalities',
  'output_modalities',
  'capabilities',
] as const

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
