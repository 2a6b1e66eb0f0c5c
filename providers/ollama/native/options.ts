/** Options of a request: which a client may set, and what the call says in other words. */
import type { Call } from '../../../kernel/contract/call.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import type { ChannelView } from '../../../kernel/contract/provider.js'
import { objectOf, present } from '../../../kernel/toolkit/json/index.js'
import type { Fact } from '../../../kernel/toolkit/vendors/index.js'
import { defaultsOf, isGiven } from './requested.js'

interface OptionFact extends Fact {
  readonly names: readonly string[]
}

/** Options about the answer. All others are about the machine a model runs on, which is the operator's. */
const ofClients: readonly OptionFact[] = [
  {
    names: ['seed', 'temperature', 'top_k', 'top_p', 'min_p', 'stop', 'num_ctx', 'num_predict'],
    source: 'github.com/ollama/ollama/blob/main/docs/openapi.yaml (ModelOptions)',
    read: '2026-11-27',
  },
  {
    names: [
      ...['num_keep', 'typical_p', 'repeat_last_n', 'repeat_penalty', 'presence_penalty'],
      ...['frequency_penalty', 'mirostat', 'mirostat_tau', 'mirostat_eta', 'penalize_newline'],
    ],
    source: 'github.com/ollama/ollama/blob/main/docs/api.md (Generate request, with options)',
    read: '2026-11-27',
  },
]

const known: ReadonlySet<string> = new Set(ofClients.flatMap(({ names }) => names))

/** Names of a client's options that do not go out. */
export function droppedOptions({ only }: Call): readonly string[] {
  return Object.keys(objectOf(only?.chat?.options) ?? {}).filter((name) => !known.has(name))
}

/** The channel's own come first, then the client's, and over both what the call says in the words of its format. */
export function optionsOf(call: Call, channel: ChannelView): JsonObject {
  const { limit, sampling } = call
  return {
    ...contextIn(defaultsOf(channel)),
    ...clientOptions(call),
    ...contextIn(call.only?.chat ?? {}),
    ...present<JsonObject>({
      num_predict: limit?.tokens,
      temperature: sampling.temperature,
      top_p: sampling.topP,
      top_k: sampling.topK,
      seed: sampling.seed,
      presence_penalty: sampling.presencePenalty,
      frequency_penalty: sampling.frequencyPenalty,
      stop: sampling.stop,
    }),
  }
}

function clientOptions({ only }: Call): JsonObject {
  const options = Object.entries(objectOf(only?.chat?.options) ?? {})
  return Object.fromEntries(options.filter(([name, value]) => known.has(name) && isGiven(value)))
}

function contextIn({ num_ctx: size }: JsonObject): JsonObject {
  return isGiven(size) ? { num_ctx: size } : {}
}

/** A size the server takes, or none. */
export function isContextSize(size: Json | undefined): boolean {
  return !isGiven(size) || (Number.isInteger(size) && Number(size) > 0)
}
