/** What a request will make, with the defaults of its model where it leaves something out. */
import type { Body } from '../../../kernel/contract/body.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { TaskQuantities } from '../../../kernel/contract/task.js'
import { jsonOf } from '../../../kernel/toolkit/operation/index.js'
import { numberAt, quantities, textAt } from '../../../kernel/toolkit/task/index.js'
import { holds, writtenIn } from './content.js'
import { factsOf, type ModelFacts } from './model.js'
import { tokensOf } from './sizes.js'

const secondsDefault = 5
/** Where the model chooses the length and is not known. */
const secondsMost = 15
const framesPerSecond = 24

export function quantitiesOf(body: Body, model: string): TaskQuantities {
  const wire = jsonOf(body)
  const facts = factsOf(model)
  const written = writtenIn(wire)
  const second = secondsOf(wire, written, facts)
  const resolution = (
    textAt(wire, 'resolution') ??
    parameter(written, 'resolution|rs') ??
    facts.resolution
  ).toLowerCase()
  const ratio = textAt(wire, 'ratio') ?? parameter(written, 'ratio|rt') ?? ratioOf(wire, facts)
  return quantities(
    { second, piece: 1, token: tokensOf(second, resolution, ratio, facts.sizes) },
    {
      resolution,
      audio: typeof wire.generate_audio === 'boolean' ? wire.generate_audio : facts.audio,
      video_input: holds(wire, 'video_url'),
      tier: textAt(wire, 'service_tier') ?? 'default',
      draft: wire.draft === true,
    },
  )
}

/** The longest of what is stated; where the model may choose, the longest it makes. */
function secondsOf(wire: JsonObject, written: string, { seconds: known }: ModelFacts): number {
  const frames = numberAt(wire, 'frames')
  const stated = [
    frames !== undefined && frames > 0 ? frames / framesPerSecond : undefined,
    numberAt(wire, 'duration'),
    numberAt({ written: parameter(written, 'duration|dur') ?? null }, 'written'),
  ].filter((seconds) => seconds !== undefined)
  if (stated.some((seconds) => seconds === -1)) return known?.most ?? secondsMost
  const longest = Math.max(0, ...stated)
  return longest > 0 ? longest : secondsDefault
}

/** Of a text alone older models make landscapes; a picture has a shape of its own. */
function ratioOf(wire: JsonObject, { adaptive }: ModelFacts): string {
  return adaptive || holds(wire, 'image_url') ? 'adaptive' : '16:9'
}

function parameter(written: string, names: string): string | undefined {
  return new RegExp(`--(?:${names})\\s+(\\S{1,16})`).exec(written)?.[1]
}
