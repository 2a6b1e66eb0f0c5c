/**
 * What a request will make, as far as it states it. The upstream may give the fields of the maker the last word, so the larger
 * count is taken, and what they name goes before.
 */
import type { Body } from '../../../kernel/contract/body.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { TaskQuantities } from '../../../kernel/contract/task.js'
import { jsonOf } from '../../../kernel/toolkit/operation/index.js'
import {
  frameOf,
  numberAt,
  objectAt,
  quantities,
  sizeWords,
  textAt,
} from '../../../kernel/toolkit/task/index.js'

/** How makers spell a length and a number of clips, there or within `parameters`. */
const lengths = ['duration', 'seconds', 'durationSeconds', 'duration_seconds']
const pieces = ['n', 'sampleCount', 'numberOfVideos', 'num_videos']

export function quantitiesOf(body: Body): TaskQuantities {
  const wire = jsonOf(body)
  const metadata = objectAt(wire, 'metadata')
  const places = [wire, metadata, objectAt(metadata, 'parameters')]
  const piece = largest(places, pieces) ?? 1
  const length = largest(places, lengths)
  const stated = { ...wire, ...metadata }
  const second = length === undefined ? undefined : length * piece
  const size = textAt(stated, 'size')
  return quantities(
    { second, piece, token: tokensOf(second, stated) },
    {
      size,
      resolution: textAt(stated, 'resolution') ?? frameOf(size)?.resolution,
      mode: textAt(stated, 'mode'),
      quality: textAt(stated, 'quality'),
      audio: typeof stated.audio === 'boolean' ? stated.audio : undefined,
    },
  )
}

const framesPerSecond = 24
const pixelsPerToken = 1024

/**
 * About what makers that bill tokens report of such a clip, as Doubao's models count them; what is reported corrects it. Undefined:
 * its length is not known.
 */
function tokensOf(second: number | undefined, stated: JsonObject): number | undefined {
  if (second === undefined) return undefined
  const words = sizeWords(
    textAt(stated, 'resolution') ?? '720p',
    textAt(stated, 'aspect_ratio') ?? '16:9',
  )
  const { width = 1280, height = 720 } = frameOf(textAt(stated, 'size')) ?? frameOf(words) ?? {}
  return Math.ceil((width * height * framesPerSecond * second) / pixelsPerToken)
}

/** Above 0. A length may be written `5s`. Undefined: none is stated. */
function largest(places: readonly JsonObject[], names: readonly string[]): number | undefined {
  const found = places.flatMap((place) =>
    names.map((name) => numberAt({ of: textAt(place, name)?.replace(/s$/i, '') }, 'of') ?? 0),
  )
  const most = Math.max(...found)
  return most > 0 ? most : undefined
}
