/** Images: number and size under names of this service's own, the pictures back as addresses in `images`. */

import type { Body } from '../../kernel/contract/body.js'
import type { Failure } from '../../kernel/contract/failure.js'
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import type { Answered, WholeAnswer } from '../../kernel/contract/operation.js'
import type { Adapter, ChannelView } from '../../kernel/contract/provider.js'
import { failureOfError, nestedError, notExpressible } from '../../kernel/toolkit/errors/index.js'
import { replyObject } from '../../kernel/toolkit/json/index.js'
import { createdAt } from '../../kernel/toolkit/operation/index.js'
import { takesSize, usualSize } from './image-sizes.js'

export function shape(body: Body, _channel: ChannelView, model: string): Body {
  const { n, size, response_format: _, ...rest } = body.kind === 'json' ? body.value : {}
  const sizeGiven = isGiven(size) && size !== 'auto' ? size : usualSize(model)
  if (rest.stream === true) throw notExpressible('stream')
  const value: JsonObject = {
    ...rest,
    ...(isGiven(n) && rest.batch_size === undefined && { batch_size: n }),
    ...(rest.image_size === undefined && sizeGiven !== undefined && { image_size: sizeGiven }),
  }
  return { kind: 'json', value }
}

/** Models that keep the size of what they are shown take none. */
export const refuses: NonNullable<Adapter['refuses']> = ({ image_size }, _channel, model) =>
  image_size === undefined || takesSize(model) ? [] : ['image_size']

export function answer(whole: WholeAnswer): Answered | { readonly failure: Failure } {
  const { images, data, created } = replyObject(whole.body) ?? {}
  const pictures = listOf(images) ?? listOf(data)
  if (pictures === undefined || pictures.length === 0) {
    return { failure: failureOfError(nestedError(replyObject(whole.body) ?? {}) ?? {}, 502) }
  }
  return {
    json: { ...createdAt(whole), ...(typeof created === 'number' && { created }), data: pictures },
  }
}

function isGiven(value: Json | undefined): boolean {
  return value !== undefined && value !== null
}

function listOf(value: Json | undefined): JsonObject[] | undefined {
  return Array.isArray(value) ? value.filter(isObject) : undefined
}
