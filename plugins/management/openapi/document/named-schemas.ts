/** Schemas that have a name: each stands once under `components.schemas`, and every place that has its form refers to it. */
import type { Json, JsonObject } from '../../../../kernel/contract/json.js'

/** Refers to a schema of the document. */
function referenceTo(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` }
}

/** Those of one gateway, in the order of its routes. */
export class NamedSchemas {
  private readonly known = new Map<string, { readonly text: string; readonly schema: JsonObject }>()
  private readonly clashing = new Set<string>()

  /** Names that two different forms claim. */
  get clashes(): readonly string[] {
    return [...this.clashing]
  }

  /** A reference. Where the name belongs to another form already, the schema itself, so that nothing false is described. */
  reference(name: string, schema: JsonObject): JsonObject {
    const text = JSON.stringify(schema)
    const known = this.known.get(name)
    if (known === undefined) this.known.set(name, { text, schema })
    else if (known.text !== text) {
      this.clashing.add(name)
      return schema
    }
    return referenceTo(name)
  }

  /** What the value refers to, directly or through others, by name. */
  within(value: Json): JsonObject {
    const found = new Map<string, JsonObject>()
    const pending = namesIn(JSON.stringify(value))
    for (const name of pending) {
      const known = this.known.get(name)
      if (known === undefined || found.has(name)) continue
      found.set(name, known.schema)
      pending.push(...namesIn(known.text))
    }
    return Object.fromEntries([...found].sort(([left], [right]) => (left < right ? -1 : 1)))
  }
}

function namesIn(text: string): string[] {
  return [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name = '']) => name)
}
