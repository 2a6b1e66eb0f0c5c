/**
 * Multipart and urlencoded forms, read and written by the platform's own FormData, so that file names, types and
 * repeated fields survive the way to the upstream.
 */
import type { Body, FormFile } from '../contract/exchange.js'
import type { Json, JsonObject } from '../contract/json.js'
import { Refusal } from '../errors.js'

export type FormBody = Extract<Body, { readonly kind: 'form' }>

/**
 * The form in a body of a declared type. A field that comes several times is an array, in order. Throws a `Refusal`
 * where the bytes are not such a form.
 */
export async function readForm(payload: Buffer, type: string): Promise<FormBody> {
  const fields: { [name: string]: Json } = Object.create(null)
  const files: FormFile[] = []
  for (const [name, value] of await parsed(payload, type)) {
    if (typeof value === 'string') add(fields, name, value)
    else files.push(await fileOf(name, value))
  }
  return { kind: 'form', fields: { ...fields }, files }
}

/** A form as multipart bytes, with the content type that names their boundary. */
export async function formBytes({
  fields,
  files,
}: FormBody): Promise<{ bytes: Buffer; type: string }> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    for (const one of Array.isArray(value) ? value : [value]) form.append(name, text(one))
  }
  for (const { field, filename, mime, bytes } of files) {
    form.append(field, new Blob([bytes], { type: mime }), filename)
  }
  const written = new Response(form)
  const type = written.headers.get('content-type') ?? ''
  return { bytes: Buffer.from(await written.arrayBuffer()), type }
}

async function parsed(payload: Buffer, type: string): Promise<FormData> {
  try {
    return await new Response(payload, { headers: { 'content-type': type } }).formData()
  } catch {
    throw new Refusal('read_request_body_failed', { reason: 'it is not the form it declares' })
  }
}

function add(fields: { [name: string]: Json }, name: string, value: string): void {
  if (name === '__proto__') throw new Refusal('forbidden_key', { key: name })
  const before = fields[name]
  if (before === undefined) fields[name] = value
  else fields[name] = Array.isArray(before) ? [...before, value] : [before, value]
}

async function fileOf(field: string, file: File): Promise<FormFile> {
  const bytes = Buffer.from(await file.arrayBuffer())
  return { field, filename: file.name, mime: file.type, bytes }
}

/** What an override put there may be any JSON; a form knows texts only. */
function text(value: Json | JsonObject): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
