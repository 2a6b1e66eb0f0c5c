/** A body of the Playground: the group stands in it, and stays here. */
import type { Json } from '../../../kernel/contract/json.js'
import { changed, type JsonBody } from '../../../kernel/toolkit/body/index.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { readJson } from '../../../kernel/toolkit/json/index.js'

export interface Requested {
  readonly body: JsonBody
  readonly requestedGroup?: string
}

export function requestOf(bytes: Buffer): Requested {
  const value = readJson(bytes)
  const body = { kind: 'json', value, bytes } as const
  if (value.group === undefined) return { body }
  const { group, ...rest } = value
  return { body: changed(body, rest), requestedGroup: groupName(group) }
}

/** None chosen is no group at all. */
function groupName(group: Json): string | undefined {
  if (group === null || group === '') return undefined
  if (typeof group === 'string') return group
  throw new Refusal('invalid_request', { param: 'group', reason: 'group must be a string.' })
}
