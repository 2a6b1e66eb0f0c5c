/**
 * Voices of OpenAI's, which clients name because their SDK wants one, by the two that every Qwen-TTS model has
 * (alibabacloud.com/help/en/model-studio/qwen-tts, huggingface.co/spaces/Qwen/Qwen3-TTS-Demo; read 2026-11-27).
 */
import { isObject, type Json } from '../../kernel/contract/json.js'

const female = 'Cherry'
const male = 'Ethan'

const voices: ReadonlyMap<Json | undefined, string> = new Map<Json | undefined, string>([
  ...['alloy', 'coral', 'marin', 'nova', 'sage', 'shimmer'].map((name) => [name, female] as const),
  ...['ash', 'ballad', 'cedar', 'echo', 'fable', 'onyx', 'verse'].map(
    (name) => [name, male] as const,
  ),
])

/** A voice of the service's own, or one that was made there, keeps its name. */
export function voiceName(voice: Json | undefined): Json {
  const named = isObject(voice) ? voice.id : voice
  return voices.get(named) ?? named ?? female
}
