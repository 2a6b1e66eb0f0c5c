/**
 * The documents of channels, each read once: a channel's record is replaced when an admin edits it, so the document itself
 * shows whether it is known. One that cannot be read fails the calls of its channel, never the gateway.
 */

import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Failed } from '../../../kernel/contract/line/attempt.js'
import { failureOf, Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { HeaderOverride, Override, RequestRewriting } from '../../services/rewriting/index.js'

export interface Documents {
  override(document: JsonObject): Override | Unreadable
  headers(document: JsonObject): HeaderOverride | Unreadable
}

/** Why a document cannot be used, as the end of a sentence. */
export interface Unreadable {
  readonly fault: string
}

export function createDocuments(rewriting: RequestRewriting): Documents {
  return {
    override: readOnce((document) => rewriting.override(document)),
    headers: readOnce((document) => rewriting.headers(document)),
  }
}

function readOnce<Read extends object>(read: (document: JsonObject) => Read) {
  const known = new WeakMap<JsonObject, Read | Unreadable>()
  return (document: JsonObject): Read | Unreadable => {
    let found = known.get(document)
    if (found === undefined) {
      found = attempted(read, document)
      known.set(document, found)
    }
    return found
  }
}

function attempted<Read>(read: (document: JsonObject) => Read, document: JsonObject) {
  try {
    return read(document)
  } catch (error) {
    return { fault: (error as Error).message }
  }
}

/** Another channel may still take the call; this one cannot until an admin mends it. */
export function unreadable(field: string, { fault }: Unreadable): Failed {
  const refusal = failureOf(new Refusal('channel:override_invalid'))
  return { failure: { ...refusal, upstreamMessage: `${field} ${fault}` }, retry: true }
}
