/** Pixels of a clip by resolution and shape, and the tokens it will be billed by. */
import type { ModelFacts } from './model.js'

type Table = Readonly<Record<string, Readonly<Record<string, readonly [number, number]>>>>

/** Upright shapes have the same pixels. */
const tables: Readonly<Record<ModelFacts['sizes'], Table>> = {
  early: {
    '480p': { '16:9': [864, 480], '4:3': [736, 544], '1:1': [640, 640], '21:9': [960, 416] },
    '720p': { '16:9': [1248, 704], '4:3': [1120, 832], '1:1': [960, 960], '21:9': [1504, 640] },
    '1080p': {
      '16:9': [1920, 1088],
      '4:3': [1664, 1248],
      '1:1': [1440, 1440],
      '21:9': [2176, 928],
    },
  },
  late: {
    '480p': { '16:9': [864, 496], '4:3': [752, 560], '1:1': [640, 640], '21:9': [992, 432] },
    '720p': { '16:9': [1280, 720], '4:3': [1112, 834], '1:1': [960, 960], '21:9': [1470, 630] },
    '1080p': {
      '16:9': [1920, 1080],
      '4:3': [1664, 1248],
      '1:1': [1440, 1440],
      '21:9': [2206, 946],
    },
    '4k': { '16:9': [3840, 2160] },
  },
}

const upright: Readonly<Record<string, string>> = { '9:16': '16:9', '3:4': '4:3' }

const framesPerSecond = 24
const pixelsPerToken = 1024

/**
 * Width x height x frames / 1024, with one frame more than the seconds hold. Where the shape is not known beforehand: the most it
 * can be. Undefined: the resolution is not known.
 */
export function tokensOf(
  seconds: number,
  resolution: string,
  ratio: string,
  sizes: ModelFacts['sizes'],
): number | undefined {
  const shapes = tables[sizes][resolution] ?? tables.late[resolution]
  if (shapes === undefined) return undefined
  const size = shapes[upright[ratio] ?? ratio]
  const pixels =
    size === undefined
      ? Math.max(...Object.values(shapes).map(([width, height]) => width * height))
      : size[0] * size[1]
  return Math.ceil((pixels * (Math.round(seconds * framesPerSecond) + 1)) / pixelsPerToken)
}
