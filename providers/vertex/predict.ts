/** What embeddings and images have in common: the body a client sent, and the predictions that came back. */

import type { Body } from '../../kernel/contract/body.js'
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import type { WholeAnswer } from '../../kernel/contract/operation.js'
import type { Adapter } from '../../kernel/contract/provider.js'

import { replyObject } from '../../kernel/toolkit/json/index.js'
import { callTo, publisherPath } from './place.js'

export type Outcome = ReturnType<NonNullable<Adapter['answer']>>

export const predict: Adapter['address'] = (_wire, channel, credentials, { model }) => {
  const path = publisherPath('google', model, 'predict')
  return callTo({ model, version: 'v1', path }, channel, credentials)
}

export function instancesOf(body: Body): JsonObject {
  if (body.kind === 'none') return {}
  return body.kind === 'json' ? body.value : body.fields
}

export function predictionsOf({ body }: WholeAnswer): JsonObject[] {
  return objects(replyObject(body)?.predictions)
}

function objects(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}
