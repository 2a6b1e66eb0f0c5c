/** What the documentation states of models, by the beginning of their names. Of others nothing is known. */

export interface ModelFacts {
  /** Whole seconds they make. Absent: any may be requested. */
  readonly seconds?: readonly number[]
  readonly resolutions?: readonly string[]
  /** Where a request states none. */
  resolution(seconds: number): string
  /** Whether clips get a sound track unless the request states otherwise. */
  readonly audio: boolean
}

const usual = () => '720p'
const newer = { resolutions: ['540p', '720p', '1080p'], resolution: usual }

const first: ModelFacts = {
  seconds: [4, 8],
  resolutions: ['360p', '720p', '1080p'],
  resolution: (seconds) => (seconds > 4 ? '720p' : '360p'),
  audio: false,
}

const known: readonly (readonly [beginning: string, facts: ModelFacts])[] = [
  ['viduq3', { ...newer, seconds: from(1, 16), audio: true }],
  ['viduq2', { ...newer, seconds: from(1, 10), audio: false }],
  ['viduq1', { seconds: [5], resolutions: ['1080p'], resolution: () => '1080p', audio: false }],
  ['vidu2.0', first],
  ['vidu1.5', first],
]

export function factsOf(model: string): ModelFacts {
  const found = known.find(([beginning]) => model.startsWith(beginning))
  return found?.[1] ?? { resolution: usual, audio: false }
}

/** The usual length of most. */
const secondsUsual = 5

export function usualSeconds({ seconds = [] }: ModelFacts): number {
  return seconds.includes(secondsUsual) ? secondsUsual : (seconds[0] ?? secondsUsual)
}

function from(least: number, most: number): readonly number[] {
  return Array.from({ length: most - least + 1 }, (_, at) => least + at)
}
