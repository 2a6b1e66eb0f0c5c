/**
 * Voices of OpenAI by the voice here that is described most like them; any other name goes out as it is, with the capital
 * that names have here.
 */
import type { Json } from '../../../contract/json.js'
import type { Fact } from '../vendor-facts.js'

interface VoiceFact extends Fact {
  readonly voice: string
  /** In the vendor's words. */
  readonly tone: string
  readonly standsFor: readonly string[]
}

const source =
  'ai.google.dev/gemini-api/docs/speech-generation (Voice options), by copies of its list'
const read = '2026-11-27'

const voices: readonly VoiceFact[] = [
  { voice: 'Schedar', tone: 'even', standsFor: ['alloy'], source, read },
  { voice: 'Charon', tone: 'informative', standsFor: ['ash'], source, read },
  { voice: 'Algieba', tone: 'smooth', standsFor: ['ballad'], source, read },
  { voice: 'Sulafat', tone: 'warm', standsFor: ['coral'], source, read },
  { voice: 'Achird', tone: 'friendly', standsFor: ['echo'], source, read },
  { voice: 'Puck', tone: 'upbeat', standsFor: ['fable'], source, read },
  { voice: 'Algenib', tone: 'gravelly', standsFor: ['onyx'], source, read },
  { voice: 'Laomedeia', tone: 'upbeat', standsFor: ['nova'], source, read },
  { voice: 'Vindemiatrix', tone: 'gentle', standsFor: ['sage'], source, read },
  { voice: 'Achernar', tone: 'soft', standsFor: ['shimmer'], source, read },
  { voice: 'Sadachbia', tone: 'lively', standsFor: ['verse'], source, read },
  { voice: 'Zephyr', tone: 'bright', standsFor: ['marin'], source, read },
  { voice: 'Iapetus', tone: 'clear', standsFor: ['cedar'], source, read },
]

const known = new Map(
  voices.flatMap(({ voice, standsFor }) => standsFor.map((name) => [name, voice])),
)

export function voiceName(voice: Json | undefined): Json | undefined {
  if (typeof voice !== 'string') return voice
  return known.get(voice.toLowerCase()) ?? voice.charAt(0).toUpperCase() + voice.slice(1)
}
