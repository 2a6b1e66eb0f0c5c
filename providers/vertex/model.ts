/** Models by their maker, and which of the service's paths each maker's are called by. */

/** `anthropic/claude-…` and `google/gemini-…` are spelled with their maker by some. */
export function bareName(model: string): string {
  return model.replace(/^(?:anthropic|google|mistralai)\//, '')
}

export function isClaude(model: string): boolean {
  return bareName(model).startsWith('claude-')
}

/** Its models take the chat format at a path of their own. */
export function isMistral(model: string): boolean {
  return /^(?:mistral|codestral|ministral)/.test(bareName(model))
}

/** Open models keep the maker in their name: `meta/llama-…`, `deepseek-ai/…`, `openai/gpt-oss-…`. */
export function isOpenModel(model: string): boolean {
  return bareName(model).includes('/')
}

/** Google's own, and what is neither of the others. */
export function isGemini(model: string): boolean {
  return !isClaude(model) && !isMistral(model) && !isOpenModel(model)
}

/** Those called by `predict`. */
export function isEmbedding(model: string): boolean {
  return /^(?:text-embedding-|text-multilingual-embedding-|textembedding-|gemini-embedding-001$)/.test(
    bareName(model),
  )
}

/** Gemini's models that draw while they talk. */
export function isDrawing(model: string): boolean {
  return /^gemini-.*image/.test(bareName(model))
}

export function isSpeaker(model: string): boolean {
  return /^gemini-.*tts/.test(bareName(model))
}

/** Gemini's models that understand sound; the others draw, speak, embed, or talk over a socket. */
export function isListener(model: string): boolean {
  return /^gemini-(?!.*(?:image|tts|embedding|live))/.test(bareName(model))
}

export function isImagen(model: string): boolean {
  return /^(?:imagen-|imagegeneration@)/.test(bareName(model))
}
