/**
 * What a model can be called for as far as its name shows, in the family's words. A chat model can be called in any of
 * the four formats, whatever its upstream speaks. What is no chat model shows in its name.
 */
import { isRealtimeModel } from '../../../kernel/toolkit/vendors/index.js'

export const chatTypes: readonly string[] = ['openai', 'openai-response', 'anthropic', 'gemini']

/** Names by what they are for; speech, video and the like have no word of their own. The first that fits counts. */
const others: readonly (readonly [name: RegExp, types: readonly string[]])[] = [
  [/rerank/, ['jina-rerank']],
  [/embed|^bge-|^[mg]te-|^e5-|^m3e/, ['embeddings']],
  [
    /^dall-e|^gpt-image|^chatgpt-image|^imagen|^flux|^stable-diffusion|^sd3|^seedream/,
    ['image-generation'],
  ],
  [/whisper|transcribe|^tts-|^gpt-.*-tts|moderation/, []],
  [
    /^(sora|veo|kling|wanx?\d|(minimax-)?hailuo|(doubao-)?seedance|vidu|jimeng)|^(mj|suno|swap)_/,
    [],
  ],
]

export function typesByName(model: string): readonly string[] {
  if (isRealtimeModel(model)) return []
  // Without the vendor some catalogues put in front: `black-forest-labs/FLUX.1`.
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase()
  return others.find(([pattern]) => pattern.test(name))?.[1] ?? chatTypes
}
