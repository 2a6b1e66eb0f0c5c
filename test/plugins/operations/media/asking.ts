/** What the tests of media operations share: forms, the field a check refuses, and a stream played in pieces. */
import type { Body, FormFile } from '../../../../kernel/contract/body.js'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import type { Operation, OperationWatch } from '../../../../kernel/contract/operation.js'
import { Refusal } from '../../../../kernel/toolkit/errors/refusal.js'

export function form(fields: JsonObject, ...files: readonly FormFile[]): Body {
  return { kind: 'form', fields, files }
}

export function file(field: string, bytes: Buffer, filename = 'a.bin'): FormFile {
  return { field, filename, mime: 'application/octet-stream', bytes }
}

export function json(value: JsonObject): Body {
  return { kind: 'json', value }
}

/** The field a check refuses; nothing where the body passes. */
export function refusedField(operation: Operation, body: Body): string | undefined {
  try {
    operation.check(body)
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.status === 400 ? error.param : `status ${error.status}`
  }
}

export function sse(event: JsonObject, name?: string): string {
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(event)}\n\n`
}

export interface Played {
  readonly out: Buffer
  readonly watch: OperationWatch
}

/** Pushes a stream in pieces of some bytes and closes it. */
export function played(watch: OperationWatch, stream: string | Buffer, step = 7): Played {
  const bytes = Buffer.from(stream as string)
  const out: Buffer[] = []
  for (let at = 0; at < bytes.length; at += step)
    out.push(watch.push(bytes.subarray(at, at + step)))
  out.push(watch.flush())
  return { out: Buffer.concat(out), watch }
}
