/** What is known of models by their names: the form of their requests, and what they make of a request that states nothing. */

/** Models before 2.7 have a field for each kind of picture; later ones, and those of other makers, a list of media. */
export function isOlder(model: string): boolean {
  return /^wanx?2\.[1-6]-/.test(model)
}

export function takesReferences(model: string): boolean {
  return /-r2v\b/.test(model)
}

/** Of a request that states none. */
export const secondsDefault = 5

/** Of a request that states none. */
export function resolutionDefault(model: string): string {
  return /^wanx2\.1-|^wan2\.2-(?:i2v|kf2v)-flash/.test(model) ? '720p' : '1080p'
}

/** Whole seconds a model makes. Undefined: not known, any may be requested. */
export function lengthsOf(model: string): readonly [least: number, most: number] | undefined {
  if (/^wan2\.[67]-/.test(model)) return [2, 15]
  if (/^wan2\.5-/.test(model)) return [5, 10]
  return /^wanx?2\.[12]-/.test(model) ? [3, 5] : undefined
}

export function isSilent(model: string): boolean {
  return /^wanx?2\.[12]-/.test(model)
}

const sizes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '480p': { '16:9': '832*480', '9:16': '480*832', '1:1': '624*624' },
  '720p': {
    '16:9': '1280*720',
    '9:16': '720*1280',
    '1:1': '960*960',
    '4:3': '1088*832',
    '3:4': '832*1088',
  },
  '1080p': {
    '16:9': '1920*1080',
    '9:16': '1080*1920',
    '1:1': '1440*1440',
    '4:3': '1632*1248',
    '3:4': '1248*1632',
  },
}

/** Undefined: no size is documented for them. */
export function sizeFor(resolution: string, aspect: string): string | undefined {
  const known = Object.hasOwn(sizes, resolution) ? sizes[resolution] : undefined
  return known !== undefined && Object.hasOwn(known, aspect) ? known[aspect] : undefined
}

/** The resolution a documented size is sold as. */
export function resolutionOfSize(size: string): string | undefined {
  return Object.keys(sizes).find((resolution) => Object.values(sizes[resolution]!).includes(size))
}
