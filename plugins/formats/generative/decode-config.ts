/** The generation config in canonical words; what the call has no word for stays under its path. */
import type { Call, OutputShape, Reasoning, Sampling } from '../../../kernel/contract/call.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { numberOf, objectOf, present, textsOf } from './fields.js'
import { below } from './leftovers.js'
import { camel } from './names.js'
import { readSchema } from './schema.js'
import { isPlainThinking, readThinking } from './thinking.js'

export interface DecodedConfig extends Pick<Call, 'sampling' | 'limit' | 'output' | 'reasoning'> {
  readonly modalities?: readonly string[]
  readonly left: JsonObject
}

export function decodeConfig(config: Json | undefined, model: string): DecodedConfig {
  const { maxOutputTokens, responseModalities, ...more } = camel(objectOf(config) ?? {})
  const { sampling, rest: unsampled } = decodeSampling(more)
  const { output, rest: shapeless } = decodeOutput(unsampled)
  const { reasoning, rest } = decodeReasoning(shapeless, model)
  const tokens = numberOf(maxOutputTokens)
  const modalities = textsOf(responseModalities)?.map((word) => word.toLowerCase())
  return {
    sampling,
    ...present({
      limit: tokens === undefined ? undefined : { tokens, field: 'maxOutputTokens' },
      output,
      reasoning,
      modalities,
    }),
    left: below('generationConfig', rest),
  }
}

function decodeSampling(config: JsonObject): { sampling: Sampling; rest: JsonObject } {
  const { temperature, topP, topK, seed, presencePenalty, frequencyPenalty, ...more } = config
  const { stopSequences, candidateCount, responseLogprobs, logprobs, ...rest } = more
  const reported = responseLogprobs === true
  const sampling = present<Sampling>({
    temperature: numberOf(temperature),
    topP: numberOf(topP),
    topK: numberOf(topK),
    seed: numberOf(seed),
    presencePenalty: numberOf(presencePenalty),
    frequencyPenalty: numberOf(frequencyPenalty),
    stop: textsOf(stopSequences),
    choices: numberOf(candidateCount),
    logprobs: reported ? (numberOf(logprobs) ?? 0) : undefined,
  })
  const kept = reported
    ? { logprobs: logprobs === 0 ? 0 : undefined }
    : { responseLogprobs, logprobs }
  return { sampling, rest: { ...rest, ...present(kept) } }
}

function decodeOutput(config: JsonObject): { output?: OutputShape; rest: JsonObject } {
  const { responseMimeType, responseSchema, responseJsonSchema, ...rest } = config
  const schema = readSchema(responseJsonSchema, responseSchema)
  if (responseMimeType === 'application/json') {
    return { output: schema ? { kind: 'schema', schema } : { kind: 'json' }, rest }
  }
  if (responseMimeType === 'text/plain' && schema === undefined) {
    return { output: { kind: 'text' }, rest }
  }
  return { rest: config }
}

/** A configuration that holds more than a budget or an effort stays whole beside what was read of it. */
function decodeReasoning(
  config: JsonObject,
  model: string,
): { reasoning?: Reasoning; rest: JsonObject } {
  const { thinkingConfig, ...rest } = config
  const thinking = objectOf(thinkingConfig)
  if (thinking === undefined) return { rest }
  const reported = camel(thinking)
  const kept = isPlainThinking(reported, model) ? rest : { ...rest, thinkingConfig: reported }
  return { ...present({ reasoning: readThinking(reported) }), rest: kept }
}
