/** A whole answer: a line of JSON for each piece of sound, and a last one that counts what is paid for. */
import type { Body } from '../../kernel/contract/body.js'
import type { Failure } from '../../kernel/contract/failure.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { Answered, WholeAnswer } from '../../kernel/contract/operation.js'
import { numberOf, objectOf, parsedObject } from '../../kernel/toolkit/json/index.js'
import { garbled, jsonOf, wav } from '../../kernel/toolkit/operation/index.js'
import { failureIn } from './fail.js'
import { rateOf, soundOf } from './sound.js'

/** The code of the last line. */
const done = 20_000_000
const LF = 0x0a

export function readSpeech(
  { body }: WholeAnswer,
  requested: Body,
): Answered | { readonly failure: Failure } {
  const pieces: Buffer[] = []
  for (const line of linesOf(body)) {
    const value = parsedObject(line)
    if (value === undefined) return { failure: garbled() }
    if (value.code === done) return spoken(Buffer.concat(pieces), jsonOf(requested), value)
    const failure = failureIn(value)
    if (failure !== undefined) return { failure }
    if (typeof value.data === 'string') pieces.push(Buffer.from(value.data, 'base64'))
  }
  // Without its last line something was cut off.
  return { failure: garbled() }
}

function* linesOf(body: Buffer): Generator<string> {
  let from = 0
  while (from < body.length) {
    const at = body.indexOf(LF, from)
    const end = at === -1 ? body.length : at
    const line = body.toString('utf8', from, end).trim()
    if (line !== '') yield line
    from = end + 1
  }
}

function spoken(
  sound: Buffer,
  requested: JsonObject,
  last: JsonObject,
): Answered | { readonly failure: Failure } {
  if (sound.length === 0) return { failure: garbled() }
  const { type } = soundOf(requested)
  const characters = numberOf(objectOf(last.usage)?.text_words)
  return {
    bytes: type === 'audio/wav' ? wav(sound, rateOf(requested)) : sound,
    type,
    // Paid by the character, as the service counts them.
    ...(characters !== undefined && { usage: { input: characters, output: 0 } }),
  }
}
