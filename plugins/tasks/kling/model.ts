/** What is known of models by their names: which lengths they make, and which of them are called at an address of their own. */

/** Models that take pictures, clips and elements in one request. */
export function isOmni(model: string): boolean {
  return /^kling-(video-o\d|v\d+(-\d+)?-omni)/.test(model)
}

/** Whole seconds a model makes. Undefined: not known, any may be requested. */
export function lengthsOf(model: string): readonly number[] | undefined {
  if (/^kling-v[12](-|$)/.test(model)) return [5, 10]
  if (/^kling-video-o1(-|$)/.test(model)) return from(3, 10)
  if (/^kling-v3(-|$)/.test(model)) return from(3, 15)
  return undefined
}

function from(least: number, most: number): readonly number[] {
  return Array.from({ length: most - least + 1 }, (_, at) => least + at)
}
