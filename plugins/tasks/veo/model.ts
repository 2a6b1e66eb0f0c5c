/** What is known of models by their names. */

/** `models/veo-…` and `google/veo-…` are spelled so by some. */
export function bareName(model: string): string {
  return model.replace(/^(?:models|google)\//, '')
}

export function isVeo(model: string): boolean {
  return bareName(model).startsWith('veo-')
}

/** Of a request that states none. */
export const secondsDefault = 8
export const resolutionDefault = '720p'

export interface ModelFacts {
  readonly seconds: readonly number[]
  readonly resolutions: readonly string[]
  /** It makes no sound, and knows no field for resolutions. */
  readonly silent?: true
}

/** Undefined: a model newer than this. */
export function factsOf(model: string): ModelFacts | undefined {
  const name = bareName(model)
  if (/^veo-2\.0-/.test(name)) return { seconds: [5, 6, 7, 8], resolutions: ['720p'], silent: true }
  if (/^veo-3\.0-/.test(name)) return { seconds: [4, 6, 8], resolutions: ['720p', '1080p'] }
  if (/^veo-3\.1-/.test(name)) return { seconds: [4, 6, 8], resolutions: ['720p', '1080p', '4k'] }
  return undefined
}
