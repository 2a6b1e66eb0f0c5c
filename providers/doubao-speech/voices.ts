/**
 * What the generations of voices differ in. Each takes voices of its own alone, so voices of OpenAI's, which clients name
 * because their SDK wants one, become voices of the generation that was asked for.
 */
import { isObject, type Json } from '../../kernel/contract/json.js'
import { notExpressible } from '../../kernel/toolkit/errors/index.js'
import { isAbout, type ModelFact } from '../../kernel/toolkit/vendors/index.js'

interface GenerationFact extends ModelFact {
  /** A female and a male voice for OpenAI's. Absent: it has but voices that were cloned. */
  readonly voices?: { readonly female: string; readonly male: string }
  /** It is told in words how to speak (`context_texts`). */
  readonly obeys: boolean
}

const read = '2026-11-27'
const source = 'volcengine.com/docs/6561/1257544 and /1598757'

const facts: readonly GenerationFact[] = [
  {
    models: /^seed-tts-2\.0/,
    voices: { female: 'zh_female_vv_uranus_bigtts', male: 'zh_male_m191_uranus_bigtts' },
    obeys: true,
    ...{ source, read },
  },
  {
    models: /^(?:seed-tts-1\.0|volc\.service_type\.100(?:29|48)$)/,
    voices: {
      female: 'zh_female_shuangkuaisisi_moon_bigtts',
      male: 'zh_male_wennuanahu_moon_bigtts',
    },
    obeys: false,
    ...{ source, read },
  },
  { models: /^seed-icl-/, obeys: false, ...{ source, read } },
]

const ofOpenAi: ReadonlyMap<Json | undefined, 'female' | 'male'> = new Map<
  Json | undefined,
  'female' | 'male'
>([
  ...['alloy', 'coral', 'marin', 'nova', 'sage', 'shimmer'].map(
    (name) => [name, 'female'] as const,
  ),
  ...['ash', 'ballad', 'cedar', 'echo', 'fable', 'onyx', 'verse'].map(
    (name) => [name, 'male'] as const,
  ),
])

/** A voice of the service's own, or one that was cloned there, keeps its name. Throws `not_expressible`. */
export function speakerOf(voice: Json | undefined, model: string): Json {
  const named = (isObject(voice) ? voice.id : voice) ?? undefined
  const kind = named === undefined || named === '' ? 'female' : ofOpenAi.get(named)
  if (kind === undefined) return named!
  const speaker = factOf(model)?.voices?.[kind]
  if (speaker === undefined) throw notExpressible('voice')
  return speaker
}

export function obeys(model: string): boolean {
  return factOf(model)?.obeys === true
}

function factOf(model: string): GenerationFact | undefined {
  return facts.find((fact) => isAbout(fact, model))
}
