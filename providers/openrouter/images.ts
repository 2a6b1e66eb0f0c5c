/**
 * Pictures by `/v1/images`, with or without pictures to begin with, and back to the form clients know. It answers with bytes
 * alone and counts tokens as chat does.
 */
import type { Body, FormFile } from '../../kernel/contract/body.js'
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import type { WholeAnswer } from '../../kernel/contract/operation.js'
import type { Adapter, OwnOperationAdapter } from '../../kernel/contract/provider.js'
import { garbled, notExpressible } from '../../kernel/toolkit/errors/index.js'
import { objectsOf, present, replyObject, someText } from '../../kernel/toolkit/json/index.js'
import {
  countOf,
  fieldsOf,
  imageKind,
  jsonOf,
  objectOf,
} from '../../kernel/toolkit/operation/index.js'
import { fail } from './fail.js'

export function pictures(address: Adapter['address']): OwnOperationAdapter {
  return {
    format: 'own',
    shape: (body) => ({ kind: 'json', value: request(body) }),
    refuses: (wire) => unknown.filter((name) => wire[name] !== undefined),
    address,
    answer,
    fail,
  }
}

/** Fields of OpenAI's that this service does not have; none changes what is shown. */
const unknown = ['user', 'moderation', 'style', 'input_fidelity', 'partial_images'] as const

function request(body: Body): JsonObject {
  const kinds = { n: 'number', output_compression: 'number', stream: 'flag' } as const
  const { image, images, mask, stream, quality, ...rest } = fieldsOf(body, kinds)
  const { 'image[]': list, response_format: _, size, ...fields } = rest
  const files = body.kind === 'form' ? body.files : []
  if (stream === true) throw notExpressible('stream')
  if (isGiven(mask) || files.some(({ field }) => field === 'mask')) throw notExpressible('mask')
  const shown = [...files.map(fromFile), ...[image, list, images].flatMap(listOf).map(fromJson)]
  return present<JsonObject>({
    ...fields,
    size: size === 'auto' ? undefined : size,
    quality: qualities[String(quality)] ?? quality,
    input_references: shown.length === 0 ? undefined : shown,
  })
}

/** Words of older models of OpenAI's. */
const qualities: Readonly<Record<string, string>> = { hd: 'high', standard: 'auto' }

function fromFile({ mime, bytes }: FormFile): JsonObject {
  return referenceTo(`data:${mime};base64,${bytes.toString('base64')}`)
}

function fromJson(given: Json): JsonObject {
  const reported = isObject(given) ? (given.image_url ?? given.url) : given
  const url = someText(isObject(reported) ? reported.url : reported)
  if (url === undefined || !/^(?:https?:|data:)/i.test(url)) throw notExpressible('image')
  return referenceTo(url)
}

function referenceTo(url: string): JsonObject {
  return { type: 'image_url', image_url: { url } }
}

function answer({ body }: WholeAnswer, sent: Body) {
  const reported = replyObject(body) ?? {}
  const data = objectsOf(reported.data)
  if (data.length === 0) return { failure: garbled() }
  const wantsAddress = jsonOf(sent).response_format === 'url'
  return {
    json: present<JsonObject>({
      created: countOf(reported.created),
      data: wantsAddress ? data.map(asAddress) : data,
      usage: usageOf(objectOf(reported.usage)),
    }),
  }
}

/** There are no addresses here, so the picture stands in its own. */
function asAddress({ b64_json: base64, ...rest }: JsonObject): JsonObject {
  if (typeof base64 !== 'string') return rest
  const { mime = 'image/png' } = imageKind(Buffer.from(base64, 'base64')) ?? {}
  return { ...rest, url: `data:${mime};base64,${base64}` }
}

function usageOf(raw: JsonObject | undefined): JsonObject | undefined {
  const [input, output] = [countOf(raw?.prompt_tokens), countOf(raw?.completion_tokens)]
  if (input === undefined || output === undefined) return undefined
  return { input_tokens: input, output_tokens: output, total_tokens: input + output }
}

function isGiven(value: Json | undefined): boolean {
  return value !== undefined && value !== null
}

function listOf(value: Json | undefined): readonly Json[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}
