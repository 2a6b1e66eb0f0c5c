/** What the documentation states of Seedance models. A model behind the name of an inference endpoint is not recognised. */

export interface ModelFacts {
  /** Whole seconds. Absent: not known, any may be requested. */
  readonly seconds?: { readonly least: number; readonly most: number }
  readonly resolution: string
  /** Whether clips get a sound track unless the request states otherwise. */
  readonly audio: boolean
  /** Pictures to take things from. 0: a first and a last frame alone. Absent: not known. */
  readonly references?: number
  /** Whether the shape is the model's to choose unless the request states one. */
  readonly adaptive: boolean
  /** Which of the tables of sizes holds. */
  readonly sizes: 'early' | 'late'
}

const early = { audio: false, adaptive: false, sizes: 'early' } as const
const late = { audio: true, adaptive: true, sizes: 'late', resolution: '720p' } as const

const known: readonly (readonly [pattern: RegExp, facts: ModelFacts])[] = [
  [
    /seedance-1-0-lite-i2v/,
    { ...early, resolution: '720p', seconds: { least: 2, most: 12 }, references: 4 },
  ],
  [
    /seedance-1-0-lite/,
    { ...early, resolution: '720p', seconds: { least: 2, most: 12 }, references: 0 },
  ],
  [
    /seedance-1-0/,
    { ...early, resolution: '1080p', seconds: { least: 2, most: 12 }, references: 0 },
  ],
  [/seedance-1-5/, { ...late, seconds: { least: 4, most: 12 }, references: 0 }],
  [/seedance-2-0/, { ...late, seconds: { least: 4, most: 15 }, references: 9 }],
]

export function factsOf(model: string): ModelFacts {
  return known.find(([pattern]) => pattern.test(model))?.[1] ?? late
}
