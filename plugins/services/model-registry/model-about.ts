/** What a model is: facts of an admin's entry, and what the table of known models has where the entry says nothing. */

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

export const aboutFields = [
  'kind',
  'context_length',
  'max_output',
  'input_modalities',
  'output_modalities',
  'capabilities',
] as const

/** Of the first what it has, of the second the rest; capabilities one by one. */
export function mergedAbout(first: ModelAbout, second: ModelAbout): ModelAbout {
  const both = { ...second.capabilities, ...first.capabilities }
  return { ...second, ...first, ...(Object.keys(both).length > 0 && { capabilities: both }) }
}
