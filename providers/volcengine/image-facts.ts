/** What each generation of Seedream takes; of a model that is behind an `ep-…` name nothing is known. */
import { isAbout, type ModelFact } from '../../kernel/toolkit/vendors/index.js'

export interface ImageFact extends ModelFact {
  /** Sizes it knows by name. */
  readonly named: readonly string[]
  /** Least and most pixels of a picture. Absent: it takes no size in pixels. */
  readonly pixels?: readonly [least: number, most: number]
  /** Least and most of one side. Absent: only the shape is bound. */
  readonly sides?: readonly [least: number, most: number]
  /** How many pictures a request may make, with those it begins with. */
  readonly pictures: number
  /** How many pictures it may begin with. */
  readonly given: number
  readonly streams: boolean
  /** Fields of OpenAI's form that it has a word for, beside those all have. */
  readonly words: readonly string[]
}

const source = 'volcengine.com/docs/82379/1541523'
const read = '2026-11-27'

/** The widest shape; the tallest is its reverse. */
export const ratioMost = 16

const least2K = 2560 * 1440
const most4K = 4096 * 4096

const facts: readonly ImageFact[] = [
  {
    models: /seedream-5[.-]0-pro/,
    named: ['1k', '1.5k', '2k'],
    pixels: [1280 * 720, 4_624_220],
    ...{ pictures: 1, given: 10, streams: false, words: ['output_format', 'background'] },
    ...{ source, read },
  },
  {
    models: /seedream-5[.-]0/,
    named: ['2k', '3k', '4k'],
    pixels: [least2K, most4K],
    ...{ pictures: 15, given: 14, streams: true, words: ['output_format'] },
    ...{ source, read },
  },
  {
    models: /seedream-4[.-]5/,
    named: ['2k', '4k'],
    pixels: [least2K, most4K],
    ...{ pictures: 15, given: 14, streams: true, words: [] },
    ...{ source, read },
  },
  {
    models: /seedream-4[.-]0/,
    named: ['1k', '2k', '4k'],
    pixels: [1280 * 720, most4K],
    ...{ pictures: 15, given: 14, streams: true, words: [] },
    ...{ source, read },
  },
  {
    models: /seedream-3[.-]0-t2i/,
    named: [],
    pixels: [512 * 512, 2048 * 2048],
    sides: [512, 2048],
    ...{ pictures: 1, given: 0, streams: false, words: [] },
    ...{ source, read },
  },
  {
    models: /seededit-3[.-]0-i2i/,
    named: ['adaptive'],
    ...{ pictures: 1, given: 1, streams: false, words: [] },
    ...{ source, read },
  },
]

export function imageFact(model: string): ImageFact | undefined {
  return facts.find((fact) => isAbout(fact, model))
}
