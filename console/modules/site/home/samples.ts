/** Which samples the home page shows, and which model stands in them. */
import type { PricedModel } from '../../../api/pricing.js'
import { type SampleFormat, type SampleLanguage, samples } from '../../../ui/samples.js'

export const formats = ['chat', 'messages', 'generative'] as const
export const languages = ['curl', 'python', 'node'] as const

export interface Sample {
  readonly format: SampleFormat
  readonly language: SampleLanguage
  readonly address: string
  readonly model: string
}

/** How the list of models calls each format, and what stands in a sample where it names none. */
const known: Readonly<Record<SampleFormat, { readonly type: string; readonly model: string }>> = {
  chat: { type: 'openai', model: 'gpt-4o-mini' },
  messages: { type: 'anthropic', model: 'claude-sonnet-4-5' },
  generative: { type: 'gemini', model: 'gemini-2.5-flash' },
}

/** One that is served, the usual one before others. */
export function modelFor(format: SampleFormat, models: readonly PricedModel[]): string {
  const { type, model } = known[format]
  const names = models
    .filter((one) => one.supported_endpoint_types.includes(type))
    .map((one) => one.model_name)
  return names.includes(model) ? model : (names[0] ?? model)
}

/** Whoever reads it has a key of their own; a shell has it in a variable. */
export function sampleOf({ format, language, address, model }: Sample): string {
  const key = language === 'curl' ? '$API_KEY' : 'sk-...'
  return samples[format][language]({ address, key, model })
}
