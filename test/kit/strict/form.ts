/** A form of several parts as the object its fields make, so that the same checks read it. */
import type { Json, JsonObject } from '../../../kernel/contract/json.js'

/** A file is an object with its name; `name[]` and a name that stands twice are lists. Undefined: it is no form. */
export async function formFields(bytes: Buffer, type: string): Promise<JsonObject | undefined> {
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } })
    .formData()
    .catch(() => undefined)
  if (form === undefined) return undefined
  const fields: Record<string, Json> = {}
  for (const name of new Set(form.keys())) {
    const values = form.getAll(name).map((value) => {
      return typeof value === 'string' ? value : { filename: value.name, bytes: value.size }
    })
    fields[name] = name.endsWith('[]') || values.length > 1 ? values : values[0]!
  }
  return fields
}
