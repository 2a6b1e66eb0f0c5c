/**
 * Speech out of text: bytes of audio, or events that carry them (SVC-3). Billed by the upstream's count where a stream of
 * events reports it, else by the text: older models by the character, newer ones by tokens of text and of sound.
 */
import type { Usage } from '../../../kernel/contract/event.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import type { Operation } from '../../../kernel/contract/operation.js'
import { estimateTokens } from '../../../kernel/toolkit/format/index.js'
import {
  BytesWatch,
  checkFields,
  EventWatch,
  failureIn,
  garbled,
  invalidField,
  isSomeText,
  isText,
  jsonOf,
  modelNamed,
  modelOf,
  numberFrom,
  type Rule,
} from '../../../kernel/toolkit/operation/index.js'
import { SpeechReader } from './speech-reader.js'

const fallback = 'tts-1'

const rules: Readonly<Record<string, Rule>> = {
  voice: textOrObject,
  response_format: isText,
  speed: numberFrom(0.1, 10),
  instructions: isText,
  stream_format: isText,
}

export default function create(): Operation {
  return {
    name: 'speech',
    check(body) {
      const fields = jsonOf(body)
      const model = modelOf(fields, fallback)
      const complaint = isSomeText(fields.input ?? null)
      if (complaint !== undefined) throw invalidField('input', complaint)
      checkFields(fields, rules)
      return { model, stream: fields.stream_format === 'sse', wantsUsage: true }
    },
    named: modelNamed,
    limits: () => ({}),
    estimate: (wire) => estimate(jsonOf(wire)),
    // Speech is never JSON: what comes as such is an error in its place.
    readReply: (body) => ({ estimatedTokens: 0, failure: failureIn(body) ?? garbled() }),
    watch: (type) =>
      type.startsWith('text/event-stream')
        ? new EventWatch(new SpeechReader())
        : new BytesWatch(type),
  }
}

function textOrObject(value: Json): string | undefined {
  const isEither = typeof value === 'string' || (typeof value === 'object' && !Array.isArray(value))
  return isEither ? undefined : 'must be a string or an object'
}

/** Tokens of sound that a token of text becomes when it is read aloud at the usual pace: 200 and 1,250 a minute. */
const soundPerText = 6.25

/** One token a character, as `tts-1` is priced; models of the GPT family count tokens of text and of sound. */
function estimate({ model, input, instructions, speed }: JsonObject): Usage {
  const text = typeof input === 'string' ? input : ''
  if (!/(?:^|[/:])gpt-/.test(String(model))) return { input: characters(text), output: 0 }
  const read = estimateTokens(text)
  const reported = typeof instructions === 'string' ? estimateTokens(instructions) : 0
  const pace = typeof speed === 'number' && speed > 0 ? speed : 1
  return { input: read + reported, output: 0, outputAudio: Math.ceil((read * soundPerText) / pace) }
}

function characters(text: string): number {
  let count = text.length
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code >= 0xdc00 && code <= 0xdfff) count -= 1
  }
  return count
}
