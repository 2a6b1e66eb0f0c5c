/**
 * Voices of OpenAI by the voice here that is described most like them; any other name, that of a voice of one's own among them,
 * goes out as it is.
 */
import type { Json } from '../../kernel/contract/json.js'
import { notExpressible } from '../../kernel/toolkit/errors/index.js'
import { objectOf, someText } from '../../kernel/toolkit/json/index.js'
import type { Fact } from '../../kernel/toolkit/vendors/index.js'

interface VoiceFact extends Fact {
  readonly voice: string
  /** In the vendor's words. */
  readonly tone: string
  readonly standsFor: readonly string[]
}

const source = 'docs.x.ai/developers/model-capabilities/audio/text-to-speech (Voices)'
const read = '2026-11-27'

const voices: readonly VoiceFact[] = [
  { voice: 'eve', tone: 'energetic, upbeat', standsFor: ['nova', 'marin', 'verse'], source, read },
  { voice: 'ara', tone: 'warm, friendly', standsFor: ['coral', 'sage', 'shimmer'], source, read },
  { voice: 'rex', tone: 'confident, clear', standsFor: ['ash', 'echo', 'cedar'], source, read },
  { voice: 'sal', tone: 'smooth, balanced', standsFor: ['alloy', 'ballad', 'fable'], source, read },
  { voice: 'leo', tone: 'authoritative, strong', standsFor: ['onyx'], source, read },
]

const known = new Map(
  voices.flatMap(({ voice, standsFor }) => standsFor.map((name) => [name, voice])),
)

/** Undefined: none was named, and the service has a default. */
export function voiceOf(requested: Json | undefined): string | undefined {
  if (requested === undefined || requested === null || requested === '') return undefined
  const name = someText(requested) ?? someText(objectOf(requested)?.id)
  if (name === undefined) throw notExpressible('voice')
  return known.get(name.toLowerCase()) ?? name
}
