/**
 * The protocol as the settings of a channel state it. An object `video_task` in them may hold any of the same fields, and
 * wins. What neither names has no place here and is left alone (CHAN-4).
 */
import type { Body } from '../../../kernel/contract/body.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { jsonOf } from '../../../kernel/toolkit/operation/index.js'
import { objectAt, textAt, valueAt } from '../../../kernel/toolkit/task/index.js'

export type Protocol = JsonObject

export function protocolOf(settings: JsonObject): Protocol {
  return isObject(settings.video_task) ? { ...settings, ...settings.video_task } : settings
}

/** The part of it that is needed where no channel is at hand: it goes along in the wire, and not out with it. */
export function withProtocol(wire: JsonObject, { id_path }: Protocol): JsonObject {
  return { ...wire, [kept]: { id_path } }
}

export function keptProtocol(wire: Body): Protocol {
  return objectAt(jsonOf(wire), kept)
}

export function withoutProtocol(wire: Body): JsonObject {
  const { [kept]: _, ...fields } = jsonOf(wire)
  return fields
}

const kept = 'video_task'

const pathFields = [
  'id_path',
  'state_path',
  'url_path',
  'error_path',
  'progress_path',
  'created_at_path',
  'updated_at_path',
  'usage_path',
  'seconds_path',
] as const

export type PathField = (typeof pathFields)[number]

/** What an answer holds at the paths of a field, in order, without what is not there. */
export function valuesAt(
  protocol: Protocol,
  field: PathField,
  answer: JsonObject,
): readonly Json[] {
  return pathsOf(protocol, field).flatMap((path) => {
    const value = valueAt(answer, path)
    return value === undefined || value === null || value === '' ? [] : [value]
  })
}

/** The first text among them, or a number as a text. */
export function firstText(
  protocol: Protocol,
  field: PathField,
  answer: JsonObject,
): string | undefined {
  return valuesAt(protocol, field, answer)
    .map((value) => textAt({ value }, 'value'))
    .find((text) => text !== undefined)
}

export function wordsOf(protocol: Protocol, field: string): readonly string[] {
  const words = protocol[field]
  return Array.isArray(words) ? words.filter((word) => typeof word === 'string') : []
}

function pathsOf(protocol: Protocol, field: PathField): readonly string[] {
  const paths = textAt(protocol, field) ?? ''
  return paths
    .split(',')
    .map((path) => path.trim())
    .filter((path) => path !== '')
}

/** Headers that are the gateway's own business. */
const reserved = /^(host|content-length|content-type|transfer-encoding|connection|accept|cookie)$/i

/** What is wrong with the settings of a channel, in one sentence. */
export function faultOf(settings: JsonObject): string | undefined {
  const protocol = protocolOf(settings)
  const header = textAt(protocol, 'auth_header')
  if (header !== undefined && (!/^[\w-]{1,64}$/.test(header) || reserved.test(header))) {
    return 'The field "auth_header" of settings must be the name of a header that may carry a key.'
  }
  const prefix = textAt(protocol, 'auth_prefix')
  if (prefix !== undefined && !/^[\x21-\x7e]+$/.test(prefix)) {
    return 'The field "auth_prefix" of settings must be one word.'
  }
  return faultOfCalls(protocol) ?? faultOfPaths(protocol)
}

function faultOfCalls(protocol: Protocol): string | undefined {
  for (const field of ['submit_path', 'poll_path']) {
    const path = textAt(protocol, field)
    if (path !== undefined && !/^\/(?!\/)[\w\-.~/:?=&%{}+]*$/.test(path)) {
      return `The field "${field}" of settings must be a path that begins with one slash.`
    }
  }
  const poll = textAt(protocol, 'poll_path')
  if (poll !== undefined && !poll.includes('{task_id}')) {
    return 'The field "poll_path" of settings must hold {task_id}.'
  }
  return undefined
}

function faultOfPaths(protocol: Protocol): string | undefined {
  const field = pathFields.find((name) =>
    pathsOf(protocol, name).some((path) => !/^[\w-]+(\.[\w-]+){0,15}$/.test(path)),
  )
  return field && `The field "${field}" of settings must be names between dots, such as data.id.`
}
