/** What is known of models by their names. */

export interface ModelFacts {
  readonly seconds: readonly number[]
  /** The first is what a request without one gets. */
  readonly resolutions: readonly string[]
  /** Its pictures are of a person the clip is about. */
  readonly subjects?: true
}

/** Of a request that states none. */
export const secondsDefault = 6

/** Undefined: a model newer than this. */
export function factsOf(model: string): ModelFacts | undefined {
  if (/^MiniMax-Hailuo-02/i.test(model)) {
    return { seconds: [6, 10], resolutions: ['768P', '512P', '1080P'] }
  }
  if (/^MiniMax-Hailuo-2\.3/i.test(model)) {
    return { seconds: [6, 10], resolutions: ['768P', '1080P'] }
  }
  if (/^S2V-01/i.test(model)) return { seconds: [6], resolutions: ['720P'], subjects: true }
  return /^[TI]2V-01/i.test(model) ? { seconds: [6], resolutions: ['720P'] } : undefined
}
