/** What billing reads from an outgoing generative request: its limits and an estimate of its prompt, in either spelling. */
import type { Usage } from '../../../kernel/contract/event.js'
import type { Limits } from '../../../kernel/contract/format.js'
import { isObject, type JsonObject } from '../../../kernel/contract/json.js'
import { countJson, TokenCounter } from '../../../kernel/toolkit/format/index.js'
import { numberOf, objectOf, objectsOf, present, textOf } from './fields.js'
import { camel } from './names.js'

export function limitsOf(wire: JsonObject): Limits {
  const { maxOutputTokens, candidateCount } = camel(objectOf(camel(wire).generationConfig) ?? {})
  const maxOutput = numberOf(maxOutputTokens)
  return present({
    maxOutput: maxOutput !== undefined && maxOutput >= 0 ? maxOutput : undefined,
    choices: numberOf(candidateCount),
  })
}

/** Role and separators around a content. */
const tokensPerContent = 4
/** The most an image costs at the service's default resolution. */
const tokensPerImage = 1120
/** A page of a document, and of a file that is only named. */
const tokensPerPage = 560
const pageBytes = 65_536
/** A second of sound is 32 tokens, and about 16,000 bytes. */
const audioBytesPerToken = 500
/** A second of film is about 300 tokens, and about 250,000 bytes. */
const videoBytesPerToken = 800

interface Count {
  readonly text: TokenCounter
  fixed: number
  audio: number
}

export function estimate(wire: JsonObject): Usage {
  const { contents, systemInstruction, tools, generationConfig } = camel(wire)
  const count: Count = { text: new TokenCounter(), fixed: 0, audio: 0 }
  for (const content of [...objectsOf(contents), objectOf(systemInstruction) ?? {}]) {
    count.fixed += tokensPerContent
    for (const part of objectsOf(content.parts)) countPart(camel(part), count)
  }
  countJson(tools, count.text)
  const { responseSchema, responseJsonSchema } = camel(objectOf(generationConfig) ?? {})
  countJson(responseJsonSchema ?? responseSchema, count.text)
  const input = count.text.estimatedTokens + count.fixed
  return count.audio === 0 ? { input } : { input, inputAudio: count.audio }
}

function countPart(part: JsonObject, count: Count): void {
  const { text, inlineData, fileData, functionResponse, thoughtSignature, ...rest } = part
  if (typeof text === 'string') count.text.add(text)
  if (isObject(inlineData)) countBlob(camel(inlineData), count)
  if (fileData !== undefined) count.fixed += tokensPerPage
  countJson(rest, count.text)
  if (!isObject(functionResponse)) return
  const { parts, ...response } = functionResponse
  countJson(response, count.text)
  for (const inner of objectsOf(parts)) countPart(camel(inner), count)
}

function countBlob({ mimeType, data }: JsonObject, count: Count): void {
  const bytes = ((textOf(data) ?? '').length * 3) / 4
  const mime = textOf(mimeType) ?? ''
  if (mime.startsWith('image/')) count.fixed += tokensPerImage
  else if (mime.startsWith('audio/')) count.audio += Math.ceil(bytes / audioBytesPerToken)
  else if (mime.startsWith('video/')) count.fixed += Math.ceil(bytes / videoBytesPerToken)
  else count.fixed += tokensPerPage * Math.max(1, Math.ceil(bytes / pageBytes))
}
